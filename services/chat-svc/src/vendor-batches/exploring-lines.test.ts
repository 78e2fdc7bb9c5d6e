import type { LineOfBatch, Principal } from '@tallyport/contracts';
import { catalogueOf, modelOf, offerOf } from '@tallyport/contracts/testing';
import type { Simulator } from '@tallyport/simulator';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type ChatBench, startChatBench } from '../testing/chat-bench.ts';

const principal: Principal = { accountId: 'account', keyId: 'key' };
const cheap = { prompt: '0.000001', completion: '0.000001' };
const dear = { prompt: '0.00001', completion: '0.00001' };

let bench: ChatBench;
beforeAll(async () => {
  const catalogue = catalogueOf(
    modelOf('chat', [
      offerOf('openai', { modelName: 'gpt-4o-mini', pricing: cheap }),
      offerOf('sandbox-a', { modelName: 'sandbox-chat', pricing: dear }),
    ]),
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
    }),
  });
});
afterAll(() => bench.close());

test.each([
  ['chats', 'ask', { model: 'chat', messages: [{ role: 'user', content: 'Hello' }] }],
  ['embeddings', 'embed', { model: 'vectors', input: 'Hello' }],
] as const)('%s that a batch of the best vendor may answer do not explore another one', async (_name, how, body) => {
  const line = (number: number): LineOfBatch => ({ id: 'batch_1', line: number, mayDefer: true });
  const lines = Array.from({ length: 20 }, (_, at) => line(at + 1));
  const answers = await Promise.all(
    lines.map((batch) => bench[how](body, { principal, batch, requestId: `${batch.id}-${batch.line}` })),
  );
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([202]));
  // Where every request explores, one that is no line does.
  expect((await bench[how](body, { principal })).headers['x-tallyport-provider']).toBe('sandbox-a');
});
