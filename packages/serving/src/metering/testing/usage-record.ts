import { noTokens, type UsageRecord } from '@tallyport/contracts';

/** The record of a chat with two tokens that cost half a dollar. */
export const usageRecord = (id: string): UsageRecord => ({
  id,
  requestId: 'req',
  at: '2026-11-21T20:15:00.000Z',
  accountId: 'acc',
  keyId: 'key',
  operation: 'chat',
  requestedModel: 'm',
  model: 'm',
  provider: 'a',
  attempts: [],
  tokens: { ...noTokens, input: 1, output: 1 },
  images: 0,
  cost: '0.5',
  costs: {},
  priceVersion: '1',
  source: 'reported',
  flags: [],
  ownKey: false,
  cached: false,
  stream: false,
  durationMs: 1,
  endReason: 'done',
});
