import fc from 'fast-check';
import { expect, test } from 'vitest';
import { editMembers } from './edit-members.ts';

const edited = (json: string, removed: readonly string[], added: Record<string, string> = {}): string =>
  editMembers(Buffer.from(json), { removed: new Set(removed), added }).toString();

test.each<[string, string, string[], Record<string, string>, string]>([
  ['the first member', '{ "model":"a" , "n" : 1.0 }', ['model'], {}, '{ "n" : 1.0 }'],
  ['one in the middle', '{"a":1,"model":{"b":[1,"]}"]},"n":2}', ['model'], {}, '{"a":1,"n":2}'],
  ['the last one', '{"a":1, "model":"\\"}"}', ['model'], {}, '{"a":1}'],
  ['every occurrence', '{"model":1,"b":2,"model":3}', ['model'], {}, '{"b":2}'],
  ['several', '{"model":1,"b":2,"stream":true}', ['model', 'stream'], {}, '{"b":2}'],
  ['the only one', '{ "model":1 }', ['model'], {}, '{}'],
  ['a name with escapes', String.raw`{"mod\u0065l":1,"b":2}`, ['model'], {}, '{"b":2}'],
  ['no member of a member', '{"a":{"model":1}}', ['model'], {}, '{"a":{"model":1}}'],
  ['nothing', '\n{"a" :12345678901234567890}\n', ['model'], {}, '\n{"a" :12345678901234567890}\n'],
  ['and adds', '{"model":1, "b":"\\u00e9"}', ['model'], { v: '"x"', w: '[1]' }, '{"v":"x","w":[1], "b":"\\u00e9"}'],
  ['and adds to nothing', ' { } ', [], { v: '1' }, ' {"v":1} '],
  ['nothing in a list', '[{"model":1}]', ['model'], { v: '1' }, '[{"model":1}]'],
])('removes %s', (_name, json, removed, added, expected) => {
  expect(edited(json, removed, added)).toBe(expected);
});

test('edits any object, and nothing below it', () => {
  const objects = fc.dictionary(fc.string(), fc.jsonValue());
  fc.assert(
    fc.property(objects, objects, fc.boolean(), (before, after, spaced) => {
      const json = JSON.stringify({ ...before, model: 'old', ...after }, null, spaced ? 2 : undefined);
      const { model: _model, added: _added, ...expected } = JSON.parse(json);
      expect(JSON.parse(edited(json, ['model', 'added'], { added: '1' }))).toEqual({ added: 1, ...expected });
    }),
  );
});
