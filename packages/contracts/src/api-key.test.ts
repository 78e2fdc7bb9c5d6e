import { describe, expect, it } from 'vitest';
import { checkKey, hashKey, looksLikeKey, makeKey, recognisablePart } from './api-key.ts';

describe('an API key', () => {
  it('has the promised shape and passes its own check', () => {
    const key = makeKey();
    expect(key).toMatch(/^sk-tp-[0-9A-Za-z]{38}$/);
    expect(checkKey(key)).toBe(true);
  });

  it('depends on nothing but the random source', () => {
    expect(makeKey(() => 0)).toBe('sk-tp-00000000000000000000000000000000' + makeKey(() => 0).slice(-6));
    expect(makeKey(() => 61).slice(6, 38)).toBe('z'.repeat(32));
    expect(makeKey()).not.toBe(makeKey());
  });

  it('uses every character of the alphabet about as often', () => {
    const counts = new Map<string, number>();
    for (let round = 0; round < 400; round++) {
      for (const character of makeKey().slice(6, 38)) counts.set(character, (counts.get(character) ?? 0) + 1);
    }
    expect(counts.size).toBe(62);
    const expected = (400 * 32) / 62;
    expect(Math.min(...counts.values())).toBeGreaterThan(expected * 0.6);
    expect(Math.max(...counts.values())).toBeLessThan(expected * 1.4);
  });

  it('is refused with any one character wrong', () => {
    const key = makeKey();
    for (let place = 0; place < key.length; place++) {
      const wrong = key[place] === 'x' ? 'y' : 'x';
      expect(checkKey(key.slice(0, place) + wrong + key.slice(place + 1))).toBe(false);
    }
  });

  it('is refused with any two neighbours swapped', () => {
    const key = makeKey();
    for (let place = 6; place + 1 < key.length; place++) {
      const swapped = key.slice(0, place) + key[place + 1] + key[place] + key.slice(place + 2);
      expect(checkKey(swapped)).toBe(swapped === key);
    }
  });

  it.each([
    ['nothing', ''],
    ['the prefix alone', 'sk-tp-'],
    ['one character less', makeKey().slice(0, -1)],
    ['one character more', `${makeKey()}0`],
    ['a trailing line feed', `${makeKey()}\n`],
    ['a leading space', ` ${makeKey()}`],
    ['a key of another vendor', `sk-proj-${'a'.repeat(38)}`],
    ['letters outside our alphabet', `sk-tp-${'é'.repeat(38)}`],
  ])('is refused when it is %s', (_what, text) => {
    expect(checkKey(text)).toBe(false);
  });

  it('is recognised as ours by its prefix alone', () => {
    expect(looksLikeKey('sk-tp-typo')).toBe(true);
    expect(looksLikeKey('an operator chose this')).toBe(false);
  });

  it('is stored as the SHA-256 of its text', () => {
    expect(hashKey('abc')).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad');
  });

  it('is shown in lists by its first characters', () => {
    const key = makeKey();
    expect(recognisablePart(key)).toBe(key.slice(0, 12));
    expect(recognisablePart('an operator chose this')).toBe('an o');
  });
});
