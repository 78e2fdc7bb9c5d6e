import { expect, test } from 'vitest';
import { FileError, locateFile, unreadableFile } from './located-file.ts';

const text = 'models:\n  a: 1\n  b: 2\n';

test('problems become lines with file, line and member', () => {
  const { refusal } = locateFile('gateway.yaml', text);
  const problems = [
    { path: ['models', 'b'], message: 'must be an object.' },
    { path: [], message: 'has no accounts.' },
  ];
  expect(refusal(problems).message).toBe(
    'gateway.yaml:3: models.b: must be an object.\ngateway.yaml:1: the file: has no accounts.',
  );
});

test('ten problems are shown, the eleventh is not', () => {
  const problems = Array.from({ length: 11 }, (_, at) => ({ path: ['models', 'a'], message: `problem ${at}.` }));
  expect(locateFile('f', text).refusal(problems.slice(0, 10)).message.split('\n')).toHaveLength(10);
  expect(locateFile('f', text).refusal(problems).message.split('\n')).toHaveLength(10);
});

test('a reader may word the problems itself', () => {
  const { refusal } = locateFile('f', text, ({ path, message }) => `${path.join('/')} ${message}!`);
  expect(refusal([{ path: ['models', 'a'], message: 'is odd' }]).message).toBe('f:2: models/a is odd!');
});

test('an empty file is null', () => {
  expect(locateFile('f', '').value).toBe(null);
});

test('a text that is not YAML is refused with its line', () => {
  expect(() => locateFile('f.yaml', 'a: 1\na: 2')).toThrow(/^f\.yaml:2: .+\.$/);
  expect(() => locateFile('f.yaml', 'a: 1\na: 2')).toThrow(FileError);
});

test('a file that cannot be read is named with the reason', () => {
  expect(unreadableFile('gateway.yaml', new Error('ENOENT')).message).toBe('gateway.yaml: cannot be read (ENOENT).');
});
