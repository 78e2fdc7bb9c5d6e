import { expect, test } from 'vitest';
import { createRefusalSampler, refusalsPerMinute, sampledEveryMs } from './refusal-sampler.ts';

/** The results for so many refusals at one time. */
function refuse(sampler: ReturnType<typeof createRefusalSampler>, count: number, now: number, accountId = 'account') {
  return Array.from({ length: count }, () => sampler.take(accountId, now));
}

test('records every refusal up to the limit, and leaves out the one beyond it', () => {
  const taken = refuse(createRefusalSampler(), refusalsPerMinute + 1, 0);
  expect(taken).toEqual([...Array.from({ length: refusalsPerMinute }, () => 0), undefined]);
});

test('records one in a while of a flood, with the number left out before it', () => {
  const sampler = createRefusalSampler();
  refuse(sampler, refusalsPerMinute + 1_000, 0);
  expect(sampler.take('account', sampledEveryMs - 1)).toBeUndefined();
  expect(sampler.take('account', sampledEveryMs)).toBe(1_001);
  expect(sampler.take('account', sampledEveryMs)).toBeUndefined();
});

test('records every refusal again a minute later', () => {
  const sampler = createRefusalSampler();
  refuse(sampler, refusalsPerMinute + 3, 0);
  expect(refuse(sampler, 2, 60_000)).toEqual([3, 0]);
});

test('bounds the records of a flood of ten minutes', () => {
  const sampler = createRefusalSampler();
  const times = Array.from({ length: 60_000 }, (_, at) => at * 10);
  const recorded = times.flatMap((now) => sampler.take('account', now) ?? []);
  expect(recorded.length).toBeLessThanOrEqual(10 * (refusalsPerMinute + 60_000 / sampledEveryMs));
  const counted = recorded.reduce((sum, leftOut) => sum + 1 + leftOut, 0);
  expect(times.length - counted).toBeLessThanOrEqual(sampledEveryMs / 10);
});

test('one account does not use up the records of another', () => {
  const sampler = createRefusalSampler();
  refuse(sampler, refusalsPerMinute + 1, 0);
  expect(sampler.take('another', 0)).toBe(0);
});
