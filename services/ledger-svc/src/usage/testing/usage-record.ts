import { noTokens, type Tokens, type UsageRecord } from '@tallyport/contracts';

export const tokensOf = (some: Partial<Tokens> = {}): Tokens => ({ ...noTokens, ...some });

let count = 0;

/** A record of a chat of 10 tokens that cost a thousandth of a dollar, with the test's changes. */
export const usageRecord = (changes: Partial<UsageRecord> = {}): UsageRecord => ({
  id: `use_${(count += 1)}`,
  requestId: 'req_test',
  at: '2026-11-21T20:15:00.000Z',
  accountId: 'account',
  keyId: 'key',
  operation: 'chat',
  requestedModel: 'model',
  model: 'model',
  provider: 'alpha',
  attempts: [{ provider: 'alpha', status: 200, error: 'none', ms: 12.5 }],
  tokens: tokensOf({ input: 7, output: 3 }),
  images: 0,
  cost: '0.001',
  costs: { input: '0.0004', output: '0.0006' },
  priceVersion: 'v1',
  source: 'reported',
  flags: [],
  ownKey: false,
  cached: false,
  stream: false,
  durationMs: 13,
  endReason: 'done',
  ...changes,
});
