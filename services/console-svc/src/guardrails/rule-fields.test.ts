import { expect, test } from 'vitest';
import { growthOf, highestGrowth } from '../../../../tests/support/growth.ts';
import { postedRules, rulesGroup } from './rule-fields.ts';

const patternsOf = (lines: string) =>
  postedRules([rulesGroup({ part: 'request', title: 'Requests' }, [])], { 'guardrails.request.patterns': lines }, {})
    ?.request?.patterns;

test('a line is a pattern, which may have spaces', () => {
  expect(patternsOf(' falcon block  (?i)project  falcon \r\n')).toEqual([
    { name: 'falcon', action: 'block', pattern: '(?i)project  falcon' },
  ]);
});

test('the time for a line grows with its length', () => {
  const lineOf = (length: number): string => `falcon block x${' '.repeat(length)}x`;
  expect(growthOf(patternsOf, lineOf, 8_000)).toBeLessThanOrEqual(highestGrowth);
});
