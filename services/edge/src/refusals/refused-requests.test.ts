import { GatewayError, type UsageRecord } from '@tallyport/contracts';
import { refusalsPerMinute } from '@tallyport/limits';
import { expect, test } from 'vitest';
import { mostPending, openRefusedRequests } from './refused-requests.ts';

const limited = new GatewayError('rate_limit_exceeded', 'Wait.');
const request = (accountId = 'account') => ({
  requestId: 'req_1',
  principal: { accountId, keyId: 'key' },
  operation: 'chat' as const,
  durationMs: 1,
});

test('records a refusal without a model, a price or a provider', () => {
  const records: UsageRecord[] = [];
  const refused = openRefusedRequests({ append: async (record) => void records.push(record), onLost: () => {} });
  refused.record(request(), limited);
  expect(records).toEqual([
    expect.objectContaining({
      requestId: 'req_1',
      accountId: 'account',
      keyId: 'key',
      operation: 'chat',
      requestedModel: '',
      model: '',
      attempts: [],
      cost: '0',
      status: 429,
      error: 'rate_limit_exceeded',
      endReason: 'refused',
    }),
  ]);
});

test('ignores failures of the gateway, and clients that left', () => {
  const records: UsageRecord[] = [];
  const refused = openRefusedRequests({ append: async (record) => void records.push(record), onLost: () => {} });
  for (const code of ['unavailable', 'overloaded', 'client_closed_request'] as const)
    refused.record(request(), new GatewayError(code, 'No.'));
  expect(records).toEqual([]);
});

test('of a flood of one account, records samples', () => {
  const records: UsageRecord[] = [];
  const refused = openRefusedRequests({ append: async (record) => void records.push(record), onLost: () => {} });
  for (let at = 0; at < 1_000; at += 1) refused.record(request(), limited);
  expect(records).toHaveLength(refusalsPerMinute);
});

test('keeps a bounded number of records while the journal does not answer, and reports those it loses', async () => {
  const answers: PromiseWithResolvers<void>[] = [];
  const lost: unknown[] = [];
  const append = () => {
    const answer = Promise.withResolvers<void>();
    answers.push(answer);
    return answer.promise;
  };
  const refused = openRefusedRequests({ append, onLost: (error) => lost.push(error) });
  for (let at = 0; at <= mostPending; at += 1) refused.record(request(`account ${at}`), limited);
  expect([answers.length, lost.length]).toEqual([mostPending, 1]);
  answers[0]?.reject(new Error('away'));
  answers[1]?.resolve();
  await expect.poll(() => lost.length).toBe(2);
  refused.record(request('another'), limited);
  refused.record(request('a third'), limited);
  refused.record(request('a fourth'), limited);
  expect([answers.length, lost.length]).toEqual([mostPending + 2, 3]);
});
