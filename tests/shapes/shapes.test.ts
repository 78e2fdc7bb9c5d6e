import { expect, test } from 'vitest';
import { probe } from './probe.ts';
import { randomBody } from './random-body.ts';
import { shapes } from './shapes.ts';

/** The goal is 100 ms, which `npm run fuzz` measures. Here the first body of a kind includes compilation. */
const longestMs = 500;

test.each(shapes)('reads a body of 20 MB with $name quickly', ({ body }) => {
  expect(probe(body(20_000_000)).cpuMs).toBeLessThan(longestMs);
});

test('reads random bodies quickly', () => {
  for (let seed = 1; seed <= 40; seed++) {
    const body = randomBody(seed, 4_000_000);
    expect([seed, Math.max(longestMs, probe(body).cpuMs)]).toEqual([seed, longestMs]);
  }
});
