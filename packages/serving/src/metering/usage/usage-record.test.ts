import { longestUsageText, mostUnpricedClasses, noTokens, usageRecordSchema } from '@tallyport/contracts';
import { modelOf, offerOf } from '@tallyport/contracts/testing';
import { defaultRouting } from '@tallyport/dispatch';
import type { CountedTokens } from '@tallyport/pricing';
import { expect, test } from 'vitest';
import { nothingUsed } from './settlement.ts';
import { accountFor } from './usage-record.ts';

const served = offerOf('a', { pricing: { prompt: '0.001', completion: '0.001' } });

/** The record of a chat, with what its provider reported. */
function recordWith(reported: Pick<CountedTokens, 'geo' | 'unknown'>) {
  const principal = { accountId: 'account', keyId: 'key' };
  const request = {
    head: { requestId: 'req', principal, headers: {}, method: 'POST', path: '/', timeoutMs: 1_000 },
    operation: 'chat',
    plan: {
      model: modelOf('m', [served]),
      priceVersion: '1',
      requestedModel: 'm',
      requestedProvider: undefined,
      fallback: 'never',
      candidates: [],
      excluded: [],
      maxAttempts: 1,
      weights: { from: 'operator', values: defaultRouting.weights },
    },
    stream: false,
    planMs: 1,
    cache: 'miss',
    signal: new AbortController().signal,
  } as const;
  const attempt = {
    provider: 'a',
    model: 'a',
    status_code: 200,
    error_type: 'none',
    succeeded: true,
    duration_ms: 1,
  } as const;
  const counted = { tokens: noTokens, adjusted: false, ...reported };
  return accountFor(request, { ...nothingUsed, attempts: [attempt], served, counted }, { now: new Date(0) })?.record;
}

const named = (count: number): string[] => Array.from({ length: count }, (_, at) => `class_${at}`);

test.each<[string, string[], string[]]>([
  ['once', ['advisor', 'advisor', 'dream'], ['advisor', 'dream']],
  ['at the bound', named(mostUnpricedClasses), named(mostUnpricedClasses)],
  ['beyond the bound', named(mostUnpricedClasses + 1), named(mostUnpricedClasses)],
  ['of any length', ['x'.repeat(longestUsageText + 1)], ['x'.repeat(longestUsageText)]],
  [
    'with half a character',
    [`${'x'.repeat(longestUsageText - 1)}\u{1f600}`],
    [`${'x'.repeat(longestUsageText - 1)}\ufffd`],
  ],
])('what has no price is named in a record that consumers accept: %s', (_name, unknown, unpricedClasses) => {
  const record = recordWith({ unknown });
  expect(record?.details?.unpricedClasses).toEqual(unpricedClasses);
  expect(usageRecordSchema.safeParse(record).error).toBeUndefined();
});

test.each([
  ['as it is', 'us', 'us'],
  ['at the bound', 'x'.repeat(100), 'x'.repeat(100)],
  ['with half a character', `${'x'.repeat(99)}\u{1f600}`, `${'x'.repeat(99)}\ufffd`],
])('the place of a record is text that the database accepts: %s', (_name, geo, recorded) => {
  expect(recordWith({ geo })?.details?.geo).toBe(recorded);
});
