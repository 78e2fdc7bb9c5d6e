import { expect, test } from 'vitest';
import { serverTiming } from './server-timing.ts';

test.each([
  ['plan;dur=0.5, upstream;dur=26.6', 'auth;dur=0.2, plan;dur=0.5, upstream;dur=26.6, gateway;dur=3.4'],
  ['plan;dur=0.5', 'auth;dur=0.2, plan;dur=0.5, gateway;dur=30.0'],
  ['upstream;dur=99', 'auth;dur=0.2, upstream;dur=99, gateway;dur=0.0'],
  [undefined, undefined],
])('%s becomes %s', (serviceTiming, expected) => {
  expect(serverTiming(serviceTiming, { authMs: 0.2, totalMs: 30 })).toBe(expected);
});
