import fc from 'fast-check';
import { expect, test } from 'vitest';
import { replaceMembers } from './replace-members.ts';

const replaced = (json: string, ...changes: [path: string, value: string][]): string =>
  replaceMembers(
    Buffer.from(json),
    changes.map(([path, value]) => ({ path: path.split('.'), value })),
  ).toString();

test.each([
  ['a string', '{"model":"a","n":1}', 'model', '{"model":NEW,"n":1}'],
  ['a number at the end', '{ "n" : 12 , "model" :\n12.5e3}', 'model', '{ "n" : 12 , "model" :\nNEW}'],
  ['an object', '{"model":{"a":[1,"]}"]},"b":2}', 'model', '{"model":NEW,"b":2}'],
  ['a list', '{"model":[[],[{}]]}', 'model', '{"model":NEW}'],
  ['a word', '{"model":null,"b":true}', 'model', '{"model":NEW,"b":true}'],
  ['every occurrence', '{"model":"a","model":"b"}', 'model', '{"model":NEW,"model":NEW}'],
  ['a name with escapes', String.raw`{"mod\u0065l":"a"}`, 'model', String.raw`{"mod\u0065l":NEW}`],
  ['a string with escapes', String.raw`{"model":"a\"b\\","b":"\\\""}`, 'model', String.raw`{"model":NEW,"b":"\\\""}`],
  [
    'a nested member',
    '{"a":{"model":1,"b":{"model":2}},"model":3}',
    'a.model',
    '{"a":{"model":NEW,"b":{"model":2}},"model":3}',
  ],
  ['nothing where the member is missing', '{"a":{"model":1}}', 'model', '{"a":{"model":1}}'],
  ['nothing where an object is missing', '{"a":[{"model":1}]}', 'a.model', '{"a":[{"model":1}]}'],
  ['nothing in a list', '[{"model":1}]', 'model', '[{"model":1}]'],
  ['nothing in an empty object', ' {} ', 'model', ' {} '],
])('replaces %s', (_name, json, path, expected) => {
  expect(replaced(json, [path, 'NEW'])).toBe(expected);
});

test('keeps large numbers, unknown members and their order, and changes several members', () => {
  const json = String.raw`{"z":12345678901234567890,"model":"a","x":{"y":"\u00e9\/"},"max_tokens":9,"b":1.0}`;
  expect(replaced(json, ['max_tokens', '5'], ['model', '"longer"'])).toBe(
    String.raw`{"z":12345678901234567890,"model":"longer","x":{"y":"\u00e9\/"},"max_tokens":5,"b":1.0}`,
  );
});

test('replaces the member of any object, and nothing else', () => {
  const objects = fc.dictionary(fc.string(), fc.jsonValue());
  fc.assert(
    fc.property(objects, objects, fc.boolean(), (before, after, spaced) => {
      const value = { ...before, model: 'old', ...after };
      const json = JSON.stringify(value, null, spaced ? 2 : undefined);
      const expected = JSON.parse(JSON.stringify(value));
      expected.model = 'new';
      expect(JSON.parse(replaced(json, ['model', '"new"']))).toEqual(expected);
    }),
  );
});
