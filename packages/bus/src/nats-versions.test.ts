import { expect, test } from 'vitest';
import { versionAdvice } from './nats-versions.ts';

test.each([
  ['2.9.9', 1, 'old'],
  ['2.9.10', 3, 'good'],
  ['2.11.99', 3, 'good'],
  ['2.12.0', 1, 'good'],
  ['2.12.0', 2, 'loses'],
  ['2.12.0-RC.1', 3, 'loses'],
  ['2.13.4', 3, 'loses'],
  ['2.14.0', 3, 'good'],
  ['2.15.1', 3, 'good'],
  ['3.0.0', 3, 'good'],
])('NATS %s with %i replicas of the journal: %s', (version, replicas, verdict) => {
  const advice = versionAdvice(version, replicas) ?? 'good';
  expect(['good', 'old', 'loses'].find((word) => advice.includes(word))).toBe(verdict);
});
