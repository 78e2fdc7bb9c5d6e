import { render } from '@tallyport/pages';
import { expect, test } from 'vitest';
import { type Spend, spendPart } from './spend.ts';

const until = new Date('2026-12-01T00:00:00Z');

const textOf = (changes: Partial<Spend>): string => {
  const spend: Spend = { base: '/dashboard/acme', spent: { amount: 12.5, until }, budget: undefined, onlyOwn: false };
  const page = render(spendPart({ ...spend, ...changes }));
  return page
    .replaceAll(/<[^>]*>/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim();
};

const again = 'Starts again 2026-12-01 00:00 UTC .';

test('spend is shown against the budget, if the account has one', () => {
  expect(textOf({})).toBe(`Spend this month $12.50 The account has no budget. ${again}`);
  const budget = { amount: '50', period: 'month' } as const;
  expect(textOf({ budget })).toBe(`Budget $12.50 of $50 per month spent ${again}`);
});

test('what was spent of a budget without a period is not known', () => {
  expect(textOf({ budget: { amount: '50', period: 'total' }, spent: undefined })).toBe('Budget $50 in total');
});

test('members see what they spent themselves', () => {
  expect(textOf({ onlyOwn: true })).toBe(
    `Your spend this month $12.50 With keys you created and applications that act for you. ${again}`,
  );
});
