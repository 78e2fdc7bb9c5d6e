import { countFields, namesOf } from '@tallyport/contracts';
import type { Latency, RequestOutcomeName } from '@tallyport/management';
import { countUnit, dollarUnit, percentUnit, timeUnit, type Unit } from '@tallyport/pages';
import type { Growth } from '../screen/change.ts';
import { shareOf, type Totals } from './totals.ts';

/** A column of the table of groups. */
export interface Figure {
  /** In the address, as the order of the table. */
  key: string;
  title: string;
  unit: Unit;
  of(totals: Totals, latency: Latency): number | undefined;
  /** The text of the value, if its unit does not say all. */
  text?(totals: Totals): string;
  /** What it means if the value grows; it is compared with the period before if this is known. */
  growth?: Growth;
  /** The figure leads to the requests that it counts. */
  outcome?: RequestOutcomeName;
  /** Whether the column is left out if no group has a value. */
  optional?: true;
  /** Shown unless the address names columns: as many as fit beside each other. */
  isUsual?: true;
}

const failedShare = ({ failed, requests }: Totals): number => shareOf(failed, requests) ?? 0;

const failedText = (totals: Totals): string =>
  totals.failed === 0 ? '0' : `${countUnit.exact(totals.failed)} (${percentUnit.exact(failedShare(totals))})`;

/** Those that end users have as well. */
export const mainFigures = {
  cost: { key: 'cost', title: 'Cost', unit: dollarUnit, of: ({ cost }) => cost, growth: 'neutral', isUsual: true },
  requests: {
    key: 'requests',
    title: 'Requests',
    unit: countUnit,
    of: ({ requests }) => requests,
    growth: 'neutral',
    isUsual: true,
  },
  failed: {
    key: 'failed',
    title: 'Failed',
    unit: percentUnit,
    of: failedShare,
    text: failedText,
    outcome: 'failed',
    growth: 'worse',
    isUsual: true,
  },
  p95: {
    key: 'p95',
    title: 'p95',
    unit: timeUnit,
    of: (_, { durationMs }) => durationMs?.p95,
    growth: 'worse',
    isUsual: true,
  },
} as const satisfies Record<string, Figure>;

export const figures: readonly Figure[] = [
  mainFigures.cost,
  mainFigures.requests,
  mainFigures.failed,
  { key: 'p50', title: 'p50', unit: timeUnit, of: (_, { durationMs }) => durationMs?.p50, growth: 'worse' },
  mainFigures.p95,
  {
    key: 'first-token',
    title: 'First token',
    unit: timeUnit,
    of: (_, { firstByteMs }) => firstByteMs?.p50,
    growth: 'worse',
    optional: true,
    isUsual: true,
  },
  {
    key: 'speed',
    title: 'Tokens/s',
    unit: countUnit,
    of: (_, { tokensPerSecond }) => tokensPerSecond?.p50,
    growth: 'better',
    optional: true,
    isUsual: true,
  },
  {
    key: 'refused',
    title: 'Refused',
    unit: countUnit,
    of: ({ refused }) => refused,
    outcome: 'refused',
    optional: true,
  },
  {
    key: 'rescued',
    title: 'Rescued',
    unit: countUnit,
    of: ({ rescued }) => rescued,
    outcome: 'rescued',
    optional: true,
    isUsual: true,
  },
  { key: 'cached', title: 'Cached', unit: countUnit, of: ({ cached }) => cached, outcome: 'cached', optional: true },
  { key: 'tokens-in', title: 'Tokens in', unit: countUnit, of: ({ tokensIn }) => tokensIn, isUsual: true },
  { key: 'tokens-out', title: 'Tokens out', unit: countUnit, of: ({ tokensOut }) => tokensOut, isUsual: true },
  // A shadow or a canary has fewer requests than what it is compared with.
  {
    key: 'cost-each',
    title: 'Cost per request',
    unit: dollarUnit,
    of: ({ cost, requests }) => shareOf(cost, requests),
    growth: 'neutral',
  },
  {
    key: 'tokens-each',
    title: 'Tokens out per request',
    unit: countUnit,
    of: ({ tokensOut, requests }) => shareOf(tokensOut, requests),
    growth: 'neutral',
  },
  ...namesOf(countFields).map((name): Figure => ({
    key: name,
    title: countFields[name].title,
    unit: countUnit,
    of: (totals) => totals[name],
    optional: true,
  })),
  { key: 'read', title: 'From prompt caches', unit: countUnit, of: ({ tokensRead }) => tokensRead, optional: true },
  {
    key: 'cacheable',
    title: 'Could be cached (estimate)',
    unit: countUnit,
    of: ({ cacheable }) => cacheable,
    optional: true,
  },
  { key: 'saved', title: 'Saved by prompt caches', unit: dollarUnit, of: ({ savings }) => savings, optional: true },
  { key: 'lost', title: 'Lost by unread writes', unit: dollarUnit, of: lostByWrites, optional: true },
];

/** What writing to prompt caches cost more than reading from them saved: the writes were not read often enough. */
function lostByWrites({ surcharge, savings }: Totals): number {
  return Math.max(0, surcharge - savings);
}
