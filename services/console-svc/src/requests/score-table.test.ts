import { render } from '@tallyport/pages';
import { expect, test } from 'vitest';
import type { ScoredOffer } from './scored-offer.ts';
import { scoreTable } from './score-table.ts';

const offer = (provider: string, changes: Partial<ScoredOffer> = {}): ScoredOffer => ({
  provider,
  key: 'service',
  reason: 'score',
  score: 1,
  factors: { uptime: { value: 0.999, ratio: 1, weight: 0.75 }, price: { value: 0.000001, ratio: 2, weight: 0.25 } },
  uptimePenalty: 0,
  priorityPenalty: 0,
  ...changes,
});
const textOf = (...part: Parameters<typeof scoreTable>): string =>
  render(scoreTable(...part))
    .replaceAll(/<[^>]+>/g, ' ')
    .replaceAll(/\s+/g, ' ');

test('shows each known factor with its ratio and weight, and no column for an unknown one', () => {
  const text = textOf({ offers: [offer('north', { score: 1.25 })] });
  expect(text).toContain('Provider Score Uptime Price Penalties Why here');
  expect(text).toContain('1. north 1.250 99.9 % 1.00 × 0.75 2 × lowest 2.00 × 0.25 none');
});

test('shows where an offer was without the assumptions', () => {
  const known = [offer('north'), offer('south', { score: 1.5 })];
  const after = [offer('south', { score: 1.5 }), offer('north', { score: 2, uptimePenalty: 1.25 })];
  const text = textOf({ offers: after, known });
  expect(text).toContain('1. south was 2. 1.500 99.9 %');
  expect(text).toContain('2. north was 1. 2.000 was 1.000');
  expect(text).toContain('+1.250 low uptime');
});

test('the parts of a bar add up to its score, and the highest score fills the width', () => {
  const page = render(scoreTable({ offers: [offer('north', { score: 1.25 })] }));
  const widths = [...page.matchAll(/<rect class="\w+" x="[\d.]+" width="([\d.]+)"/g)].map(([, width]) => Number(width));
  expect(widths).toEqual([60, 0, 40, 0, 0]);
});
