import { expect, test } from 'vitest';
import { subjectsOf, testsReachedBy } from './reach.ts';

const sources = Object.entries({
  'packages/a/src/leaf.ts': 'export const leaf = 1;',
  'packages/a/src/middle.ts': "import { leaf } from './leaf.ts';",
  'packages/a/src/middle.test.ts': "import { middle } from './middle.ts';",
  'packages/b/src/other.test.ts': "import { test } from 'vitest';",
  'services/c/src/main.ts': "import { leaf } from '../../../packages/a/src/leaf.ts';",
  'scripts/distributed/start.ts': 'const main = `services/${name}/src/main.ts`;',
  'tests/d/system.test.ts': "import { start } from '../../scripts/distributed/start.ts';",
  'tests/d/command.test.ts': "run('services/c/src/main.ts');",
  'tests/d/kill.long.test.ts': "// About: packages/b, docs.\nimport '../../scripts/distributed/start.ts';",
  'tests/d/page.test.ts': "read('docs/page.md');",
  'tests/structure/rule.test.ts': "import '../../packages/a/src/leaf.ts';",
}).map(([path, text]) => ({ path, text }));

test.each([
  [
    'a file reaches tests that import it, or start a program made of it',
    'packages/a/src/leaf.ts',
    ['packages/a/src/middle.test.ts', 'tests/d/system.test.ts', 'tests/d/command.test.ts'],
  ],
  [
    'a long test is reached by what it is about',
    'packages/b/src/other.test.ts',
    ['packages/b/src/other.test.ts', 'tests/d/kill.long.test.ts'],
  ],
  [
    'a long test is reached by what it imports',
    'scripts/distributed/start.ts',
    ['tests/d/system.test.ts', 'tests/d/kill.long.test.ts'],
  ],
  ['a document reaches the tests that name it', 'docs/page.md', ['tests/d/page.test.ts']],
  [
    'data reaches the tests of the sources beside it',
    'packages/a/src/data/prices.json',
    ['packages/a/src/middle.test.ts', 'tests/d/system.test.ts', 'tests/d/command.test.ts'],
  ],
])('%s', (_title, changed, reached) => {
  expect(testsReachedBy([changed], sources)).toEqual(reached);
});

test('a file of the whole project reaches every test but the checks', () => {
  const tests = sources.map(({ path }) => path).filter((path) => path.includes('.test.'));
  expect(testsReachedBy(['pnpm-lock.yaml'], sources)).toEqual(
    tests.filter((path) => !path.startsWith('tests/structure')),
  );
});

test('a long test names what it is about', () => {
  const text = '/**\n * Kills it. About: packages/bus/src,\n * services/ledger-svc.\n */';
  expect(subjectsOf({ text })).toEqual(['packages/bus/src', 'services/ledger-svc']);
  expect(subjectsOf({ text: 'import x' })).toEqual([]);
});
