import fc from 'fast-check';
import { expect, test } from 'vitest';
import { growthOf, highestGrowth } from '../../../../tests/support/growth.ts';
import { boundaryOf, type MultipartPart, joinForm, splitForm } from './form.ts';

const type = 'multipart/form-data; boundary=b';
const form = (...parts: string[]): Buffer =>
  Buffer.from(`${parts.map((part) => `--b\r\n${part}\r\n`).join('')}--b--\r\n`);
const field = (name: string, value: string): string => `Content-Disposition: form-data; name="${name}"\r\n\r\n${value}`;
const texts = (parts: readonly MultipartPart[]) =>
  parts.map(({ content, ...rest }) => ({ ...rest, content: Buffer.from(content).toString() }));
const split = (body: Buffer, contentType = type) => {
  const result = splitForm(body, contentType);
  return 'parts' in result ? texts(result.parts) : result.problem;
};

test('splits fields and files', () => {
  const file =
    'content-disposition: form-data; name="file"; filename="a.wav"\r\nContent-Type: audio/wav\r\n\r\nx--b\r\n\r\n-b';
  expect(split(form(field('model', 'm'), file, field('empty', '')))).toEqual([
    { name: 'model', content: 'm' },
    { name: 'file', fileName: 'a.wav', type: 'audio/wav', content: 'x--b\r\n\r\n-b' },
    { name: 'empty', content: '' },
  ]);
  expect(split(Buffer.concat([Buffer.from('preamble\r\n'), form(field('a', '1'))]))).toEqual([
    { name: 'a', content: '1' },
  ]);
});

test.each<[string, object | undefined]>([
  // As .NET writes a file and a field.
  [`name=file; filename=audio.mp3; filename*=utf-8''other.mp3`, { name: 'file', fileName: 'audio.mp3' }],
  ['name=model', { name: 'model' }],
  ['Name="file";FileName=a.mp3', { name: 'file', fileName: 'a.mp3' }],
  [`filename*=utf-8''a.mp3; name=file`, { name: 'file' }],
  ['filename="a; name=b.mp3"; name=file', { name: 'file', fileName: 'a; name=b.mp3' }],
  ['name=file; name=model; filename="a \\"b\\".mp3"', { name: 'file', fileName: 'a "b".mp3' }],
  ['name="file"; filename="C:\\music\\"', { name: 'file', fileName: 'C:\\music\\' }],
  ['name="file"; filename="a\u2028.mp3"', { name: 'file', fileName: 'a\u2028.mp3' }],
  ['filename=name', undefined],
  ['xname=file', undefined],
  ['name="file', undefined],
  ['name=', undefined],
])('reads the parameters %s', (parameters, named) => {
  const result = split(form(`Content-Disposition: form-data; ${parameters}\r\n\r\nx`));
  expect(result).toEqual(named === undefined ? 'a part has no name' : [{ ...named, content: 'x' }]);
});

test('joins names within their quotes and their line, whatever they contain', () => {
  const fileName = 'a"; name="model"\r\nX-Injected: 1\r\n\r\n\\';
  const head = Buffer.concat(joinForm([{ name: 'file', fileName, content: Buffer.from('x') }], 'b')).toString();
  expect(head).toBe(
    '--b\r\nContent-Disposition: form-data; name="file"; ' +
      'filename="a%22; name=%22model%22%0D%0AX-Injected: 1%0D%0A%0D%0A%5C"\r\n\r\nx\r\n--b--\r\n',
  );
});

test.each(['; ', '\\"', '\\\\"', ';a=', 'name="', '=;"', ' '])(
  'the time for a head of %j grows with its length, in a value and as parameters',
  (piece) => {
    const hostile = (length: number, before: string) =>
      form(`Content-Disposition: form-data; name=a${before}${piece.repeat(length / piece.length)}\r\n\r\nx`);
    for (const before of ['; filename="', '']) {
      const inputOf = (length: number) => hostile(length, before);
      expect(growthOf((body) => splitForm(body, type), inputOf, 8_000)).toBeLessThanOrEqual(highestGrowth);
    }
  },
);

test.each([
  ['multipart/form-data; boundary=b', 'b'],
  ['multipart/form-data; charset=utf-8; boundary="b c"', 'b c'],
  ['multipart/form-data', ''],
])('finds the boundary in %s', (contentType, boundary) => {
  expect(boundaryOf(contentType)).toBe(boundary);
});

test.each([
  [form(field('a', '1')), 'multipart/form-data', 'its content-type has no boundary'],
  [form(field('a', '1')), `${type}${'x'.repeat(70)}`, 'its boundary is longer than 70 characters'],
  [Buffer.from('nothing'), type, 'it has no closing boundary'],
  [form(field('a', '1')).subarray(0, -6), type, 'it has no closing boundary'],
  [form('Content-Type: text/plain\r\n\r\nx'), type, 'a part has no name'],
  [form(...Array.from({ length: 101 }, () => field('a', '1'))), type, 'it has more than 100 parts'],
])('refuses a broken form %#', (body, contentType, problem) => {
  expect(split(body, contentType)).toBe(problem);
});

test('accepts 100 parts', () => {
  expect(split(form(...Array.from({ length: 100 }, () => field('a', '1'))))).toHaveLength(100);
});

test('splits what it joined, for any bytes without the boundary', () => {
  fc.assert(
    fc.property(fc.array(fc.uint8Array({ maxLength: 50 }), { maxLength: 5 }), (contents) => {
      const parts = contents.map((content, at) => ({
        name: `n${at}`,
        fileName: 'f',
        type: 't',
        content: Buffer.from(content),
      }));
      const body = Buffer.concat(joinForm(parts, 'a-long-boundary'));
      expect(splitForm(body, 'multipart/form-data; boundary=a-long-boundary')).toEqual({ parts });
    }),
  );
});
