import { expect, test } from 'vitest';
import { type DiscouragedWord, isDiscouragedWord, placesOfWords, proseSources } from './words.ts';

/** How often each word may occur. Lower a number whenever the count falls; never raise one. */
const limits: Readonly<Record<DiscouragedWord, number>> = {
  tell: 2,
  whoever: 23,
  nobody: 34,
  thereby: 0,
  likewise: 0,
  "one's": 2,
};

const places = placesOfWords(proseSources());

test.for(Object.keys(limits).filter(isDiscouragedWord))('"%s" occurs at most as often as its limit', (word) => {
  const found = places[word];
  expect(found.length, `Write one of these places in plain words:\n  ${found.join('\n  ')}`).toBeLessThanOrEqual(
    limits[word],
  );
});

test('counts comments and strings, and leaves identifiers and regular expressions out', () => {
  const text = [
    '/** Tells the caller. */',
    'const told = `${told} nobody`; // likewise',
    'const pattern = /[\'"`]/.test(told);',
    "throw new Error('It is one\\'s own.');",
    'const sentence = "Whatever was told.";',
  ].join('\n');
  expect(placesOfWords([{ path: 'packages/a.ts', text }])).toEqual({
    tell: ['packages/a.ts:1 /** Tells the caller. */', 'packages/a.ts:5 "Whatever was told."'],
    whoever: ['packages/a.ts:5 "Whatever was told."'],
    nobody: ['packages/a.ts:2 `… nobody` // likewise'],
    thereby: [],
    likewise: ['packages/a.ts:2 `… nobody` // likewise'],
    "one's": [],
  });
});

test('counts every line of a document', () => {
  const { tell, nobody } = placesOfWords([{ path: 'a.md', text: 'One line.\nIt tells nobody.\n' }]);
  expect([tell, nobody]).toEqual([['a.md:2 It tells nobody.'], ['a.md:2 It tells nobody.']]);
});
