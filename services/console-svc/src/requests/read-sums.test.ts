import { GatewayError } from '@tallyport/contracts';
import type { CallOperation } from '@tallyport/management';
import { noSums } from '@tallyport/management/testing';
import { expect, test } from 'vitest';
import { viewIn } from './filters.ts';
import { readRequestSums } from './read-sums.ts';

const counted = { requests: 7, tokens: 70, cost: '0.7' };
const partial = { ...counted, since: '2026-11-27T05:00:00.000Z' };
const usage = {
  ...noSums,
  requests: 900,
  refused: 100,
  tokens: { ...noSums.tokens, input: 5, output: 6 },
  cost: '12.5',
};

const sumsWith = (sums: object | GatewayError, query: Record<string, string>) => {
  const ask = (async (name: string) => {
    if (name === 'readUsageSeries') return { interval: 'period', points: [{ ...usage, at: '' }] };
    if (sums instanceof GatewayError) throw sums;
    return sums;
  }) as CallOperation;
  return readRequestSums({ ask }, viewIn(query, Date.now()));
};

test.each([
  ['counted requests are shown as they are', counted, { model: 'm' }, counted],
  [
    'too many are those of the sums of usage',
    partial,
    { model: 'm', key: 'k' },
    { requests: 1_000, tokens: 11, cost: '12.5' },
  ],
  ['a filter that sums of usage do not know is counted since a time', partial, { outcome: 'failed' }, partial],
  ['so is a period between two times', partial, { from: '2026-11-20T08:30Z', to: '2026-11-21T08:30Z' }, partial],
  ['a service of the version before cannot count', new GatewayError('not_found', 'none'), {}, undefined],
])('%s', async (_what, sums, query, shown) => {
  expect(await sumsWith(sums, query)).toEqual(shown);
});

test('another failure is one of the page', async () => {
  await expect(sumsWith(new GatewayError('unavailable', 'no'), {})).rejects.toThrow('no');
});
