import { hash } from 'node:crypto';
import { expect, test } from 'vitest';
import { maskToken, unmaskToken } from './csrf-mask.ts';

const token = hash('sha256', 'a session', 'base64url');

test('a masked token looks different every time, and unmasks to the same token', () => {
  const masked = [maskToken(token), maskToken(token)];
  expect(masked[0]).not.toBe(masked[1]);
  expect(masked.map(unmaskToken)).toEqual([token, token]);
});

test.each(['', 'guessed', token, `${maskToken(token)}AA`])('%j unmasks to nothing', (text) => {
  expect(unmaskToken(text)).toBe(undefined);
});
