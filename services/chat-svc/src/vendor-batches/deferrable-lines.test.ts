import type { LineOfBatch, Principal } from '@tallyport/contracts';
import { catalogueOf, modelOf, offerOf } from '@tallyport/contracts/testing';
import type { Simulator } from '@tallyport/simulator';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { untilFound } from '../../../../tests/support/probe.ts';
import { type ChatBench, startChatBench } from '../testing/chat-bench.ts';

const principal: Principal = { accountId: 'account', keyId: 'key' };
const cheap = { prompt: '0.000001', completion: '0.000001' };
const messages = [{ role: 'user', content: 'Hello' }];
const dear = { prompt: '0.00001', completion: '0.00001' };

let bench: ChatBench;
beforeAll(async () => {
  const catalogue = catalogueOf(
    modelOf('chat', [
      offerOf('openai', { modelName: 'gpt-4o-mini', pricing: cheap }),
      offerOf('sandbox-a', { modelName: 'sandbox-chat', pricing: dear }),
    ]),
    modelOf('alone', [offerOf('openai', { modelName: 'gpt-4o-mini', pricing: cheap })]),
    modelOf(
      'vectors',
      [
        offerOf('openai', { modelName: 'text-embedding-3-small', pricing: cheap }),
        offerOf('sandbox-a', { modelName: 'sandbox-embedding', pricing: dear }),
      ],
      { outputModalities: ['embeddings'] },
    ),
  );
  bench = await startChatBench({
    catalogue,
    environment: ({ baseUrl }: Simulator) => ({
      OPENAI_API_KEY: 'key',
      OPENAI_BASE_URL: baseUrl('openai'),
      ROUTING_EXPLORATION: '1',
      ROUTING_HEALTH_WINDOW_MS: '300000',
      ROUTING_BREAKER_FAILURES_IN_A_ROW: '3',
    }),
  });
});
afterAll(() => bench.close());

/** The statuses of lines, each sent again while the process has no turn for it. */
async function deferAll(how: 'ask' | 'embed', body: object): Promise<Set<number>> {
  const statuses = new Set<number>();
  for (let line = 1; line <= 20; line += 1) {
    const batch: LineOfBatch = { id: 'batch_1', line, mayDefer: true };
    const ask = async () => (await bench[how](body, { principal, batch, requestId: `batch_1-${line}` })).status;
    statuses.add(await untilFound(async () => [await ask()].find((status) => status !== 529)));
  }
  return statuses;
}

test.each([
  ['chats', 'ask', { model: 'chat', messages }],
  ['embeddings', 'embed', { model: 'vectors', input: 'Hello' }],
] as const)('%s that a batch of the best vendor may answer do not explore another one', async (_name, how, body) => {
  expect(await deferAll(how, body)).toEqual(new Set([202]));
  // Where every request explores, one that is no line does.
  expect((await bench[how](body, { principal })).headers['x-tallyport-provider']).toBe('sandbox-a');
});

test('lines are left to the batch of a vendor that fails now, also if its breaker is open', async () => {
  bench.simulator.faults.set({ provider: 'openai', fault: 'status:503' });
  const fails = async () => (await bench.ask({ model: 'alone', messages }, { principal })).status;
  for (let calls = 0; calls < 5; calls += 1) expect(await fails()).toBeGreaterThanOrEqual(500);
  expect((await bench.listProviders({ principal })).text).toContain('"breaker":"open"');
  expect(await deferAll('ask', { model: 'chat', messages })).toEqual(new Set([202]));
  expect(await deferAll('ask', { model: 'alone', messages })).toEqual(new Set([202]));
});
