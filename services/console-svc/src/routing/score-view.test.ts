import { render } from '@tallyport/pages';
import { expect, test } from 'vitest';
import type { ExplainedCandidate, ExplainedRoute } from '../gateway/explained-route.ts';
import { scoreTable } from './score-view.ts';

const candidate = (provider: string, changes: Partial<ExplainedCandidate> = {}): ExplainedCandidate => ({
  provider,
  key: 'service',
  reason: 'score',
  score: 1,
  factors: { uptime: { value: 0.999, ratio: 1, weight: 0.75 }, price: { value: 0.000001, ratio: 2, weight: 0.25 } },
  uptime_penalty: 0,
  priority_penalty: 0,
  uptime: { lower: 0.999 },
  ...changes,
});
const route = (...candidates: ExplainedCandidate[]): ExplainedRoute => ({
  requested_model: 'm',
  requested_provider: null,
  model: 'm',
  max_attempts: 3,
  candidates,
  excluded: [],
});
const textOf = (...part: Parameters<typeof scoreTable>): string =>
  render(scoreTable(...part))
    .replaceAll(/<[^>]+>/g, ' ')
    .replaceAll(/\s+/g, ' ');

test('shows each known factor with its ratio and weight, and no column for an unknown one', () => {
  const text = textOf({ route: route(candidate('north', { score: 1.25 })), known: undefined });
  expect(text).toContain('Provider Score Uptime Price Penalties Why here');
  expect(text).toContain('1. north 1.250 99.9 % 1.00 × 0.75 2 × lowest 2.00 × 0.25 none');
});

test('shows where an offer was without the assumptions', () => {
  const known = route(candidate('north'), candidate('south', { score: 1.5 }));
  const after = route(candidate('south', { score: 1.5 }), candidate('north', { score: 2, uptime_penalty: 1.25 }));
  const text = textOf({ route: after, known });
  expect(text).toContain('1. south was 2. 1.500 99.9 %');
  expect(text).toContain('2. north was 1. 2.000 was 1.000');
  expect(text).toContain('+1.250 low uptime');
});

test('the parts of a bar add up to its score, and the highest score fills the width', () => {
  const page = render(scoreTable({ route: route(candidate('north', { score: 1.25 })), known: undefined }));
  const widths = [...page.matchAll(/<rect class="\w+" x="[\d.]+" width="([\d.]+)"/g)].map(([, width]) => Number(width));
  expect(widths).toEqual([60, 0, 40, 0, 0]);
});
