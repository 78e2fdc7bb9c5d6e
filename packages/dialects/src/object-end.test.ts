import { expect, test } from 'vitest';
import { createObjectEnd } from './object-end.ts';

test.each([
  ['', false],
  ['{', false],
  ['{}', true],
  [' {"a":{}', false],
  ['{"a":[1,{"b":"}"}]}\n', true],
  [String.raw`{"a":"\"}`, false],
  [String.raw`{"a":"\\"}`, true],
  ['{"a":[}', false],
])('%s', (text, reached) => {
  const whole = createObjectEnd();
  whole.add(text);
  const inPieces = createObjectEnd();
  for (const character of text) inPieces.add(character);
  expect([whole.reached(), inPieces.reached()]).toEqual([reached, reached]);
});
