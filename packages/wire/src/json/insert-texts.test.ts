import { expect, test } from 'vitest';
import { insertTexts, type JsonInsertion } from './insert-texts.ts';

const inserted = (json: string, ...insertions: JsonInsertion[]) =>
  insertTexts(Buffer.from(json), insertions).toString();

test('adds members and wraps values, and keeps every byte', () => {
  const json = ' { "a" : [ 1.0, {"b":"\\u00e9 ]}\\"" , "n":1e400} , "é" ],\n"c":"x", "d": {"e": [[{"f":1}]]} } ';
  expect(
    inserted(
      json,
      { path: ['d', 'e', 0, 0], member: '"m":2' },
      { path: ['c'], around: ['[', ',1]'] },
      { path: ['a', 1], member: '"m":1' },
      { path: ['a', 2], around: ['<', '>'] },
    ),
  ).toBe(
    ' { "a" : [ 1.0, {"m":1,"b":"\\u00e9 ]}\\"" , "n":1e400} , <"é"> ],\n"c":["x",1], "d": {"e": [[{"m":2,"f":1}]]} } ',
  );
});

test('of members with one name, the last counts, as for JSON.parse', () => {
  expect(inserted('{"a":"1","a":"2"}', { path: ['a'], around: ['[', ']'] })).toBe('{"a":"1","a":["2"]}');
});

test('without insertions, or for a missing path, the same document results', () => {
  const json = Buffer.from('{"a":[]}');
  expect(insertTexts(json, [])).toBe(json);
  expect(insertTexts(json, [{ path: ['a', 0], member: '"b":1' }])).toBe(json);
  expect(insertTexts(json, [{ path: ['b'], member: '"b":1' }])).toBe(json);
});
