import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { listElements, memberValue, memberValues, repeatsMember, repeatsMemberWithin } from './read-members.ts';
import { mostLevels } from './structure.ts';

test.each([
  ['{"a":1,"b":[ 2 ],"c":3}', '[ 2 ]'],
  ['{"b":1,"b":"x"}', '"x"'],
  ['{"a":{"b":1}}', undefined],
  ['[]', undefined],
])('finds the bytes of a value in %s: %s', (json, expected) => {
  expect(memberValue(Buffer.from(json), 'b')?.toString()).toBe(expected);
});

test.each([
  ['{"a":1,"b":{"a":2}}', false],
  ['{}', false],
  ['[1,1]', false],
  ['{"a":1,"b":2,"a":1}', true],
  [String.raw`{"a":1,"\u0061":2}`, true],
])('says whether %s repeats a member: %s', (json, expected) => {
  expect(repeatsMember(Buffer.from(json))).toBe(expected);
});

test.each([
  ['{"a":{"b":1},"c":[{"b":2},{"b":3}]}', false],
  ['7', false],
  ['{"a":{"b":1,"b":2}}', true],
  [' [0, {"a":[{"b":1, "c":{}, "b":2}]}]', true],
  ['{"a":1,"b":2,"a":1}', true],
  [String.raw`{"a":{"b":1,"\u0062":2}}`, true],
  [`{"a":${'['.repeat(100_000)}${']'.repeat(100_000)},"a":1}`, true],
  // These are no JSON.
  ['[:]', false],
  ['[}', false],
  ['{"a":[1,:,{"b":1,"b":2}]}', true],
])('says whether an object within %.40s repeats a member: %s', (json, expected) => {
  expect(repeatsMemberWithin(Buffer.from(json))).toBe(expected);
});

test('finds a repeated member in the deepest object that is read, and none below it', () => {
  const within = (levels: number) => Buffer.from(`${'['.repeat(levels)}{"a":1,"a":2}${']'.repeat(levels)}`);
  expect(repeatsMemberWithin(within(mostLevels - 1))).toBe(true);
  expect(repeatsMemberWithin(within(mostLevels))).toBe(false);
});

test('finds the elements of any list', () => {
  fc.assert(
    fc.property(fc.array(fc.jsonValue()), fc.boolean(), (list, spaced) => {
      const json = Buffer.from(JSON.stringify(list, null, spaced ? 2 : undefined));
      expect(listElements(json).map((element) => JSON.parse(element.toString()))).toEqual(JSON.parse(json.toString()));
    }),
  );
  expect(listElements(Buffer.from('{"a":1}'))).toEqual([]);
});

describe('the values of some members', () => {
  const names = new Set(['a', 'b']);
  const valuesIn = (json: string, mostMembers = 10) => {
    const found = memberValues(Buffer.from(json), { names, mostMembers });
    return found && Object.fromEntries([...found].map(([name, value]) => [name, value.toString()]));
  };

  test.each([
    ['{"a":1,"c":{"b":2},"b":[ 2 ]}', { a: '1', b: '[ 2 ]' }],
    ['{"a":1,"a":"x"}', { a: '"x"' }],
    [String.raw`{"\u0061":1}`, { a: '1' }],
    ['[1]', {}],
    ['{"a":1,', { a: '1' }],
    ['{"a":', { a: '' }],
    ['{"a"', { a: '' }],
    ['{,,"a":1}', {}],
  ])('of %s are %j', (json, expected) => {
    expect(valuesIn(json)).toEqual(expected);
  });

  test('are read up to the most members', () => {
    expect(valuesIn('{"x":1,"a":2}', 2)).toEqual({ a: '2' });
    expect(valuesIn('{"x":1,"a":2,"y":3}', 2)).toBeUndefined();
  });
});
