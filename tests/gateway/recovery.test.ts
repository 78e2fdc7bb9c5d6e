import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { startGateway, type Gateway } from './in-process.ts';

let gateway: Gateway;
beforeAll(async () => {
  gateway = await startGateway();
});
afterAll(async () => {
  await gateway.stop();
});

const completionSchema = z.object({
  choices: z.tuple([z.object({ message: z.object({ content: z.string() }) })]),
  metadata: z.object({ routing: z.array(z.object({ provider: z.string() })), failover: z.string().optional() }),
});
const routeSchema = z.object({ candidates: z.array(z.object({ provider: z.string(), reason: z.string() })) });

const ask = async (model = 'sandbox-chat') => {
  const response = await fetch(`${gateway.baseUrl}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${gateway.apiKey}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model, messages: [{ role: 'user', content: 'Hello' }] }),
  });
  expect(response.status).toBe(200);
  const { choices, metadata } = completionSchema.parse(await response.json());
  return {
    content: choices[0].message.content,
    tried: metadata.routing.map(({ provider }) => provider),
    failover: metadata.failover,
    cache: response.headers.get('x-tallyport-cache'),
  };
};

const faults = (init: RequestInit) =>
  fetch(`${gateway.sandboxUrl}/control/faults`, { headers: { 'content-type': 'application/json' }, ...init });
const breakFirst = () =>
  faults({ method: 'POST', body: JSON.stringify({ provider: 'sandbox-a', fault: 'status:503' }) });
const repair = () => faults({ method: 'DELETE' });

/** Of `POST /v1/routes/explain`: each offer with the reason for its place. */
const explain = async (): Promise<string[]> => {
  const response = await fetch(`${gateway.baseUrl}/v1/routes/explain`, {
    method: 'POST',
    headers: { authorization: `Bearer ${gateway.apiKey}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'sandbox-chat', messages: [{ role: 'user', content: 'Hello' }] }),
  });
  const { candidates } = routeSchema.parse(await response.json());
  return candidates.map(({ provider, reason }) => `${provider} ${reason}`);
};

test('a broken provider is replaced, and gets its requests back within 15 seconds of its repair', async () => {
  expect(await ask()).toMatchObject({ tried: ['sandbox-a'], failover: undefined });
  await breakFirst();
  expect(await ask()).toMatchObject({
    content: expect.stringContaining('sandbox-b'),
    tried: ['sandbox-a', 'sandbox-b'],
    failover: 'answered by sandbox-b after sandbox-a failed',
  });
  // Trial requests fail until the breaker opens, and the pauses between them grow.
  const lastAfterAsking = async () => (await ask()) && (await explain()).at(-1);
  await expect.poll(lastAfterAsking, { interval: 500 }).toBe('sandbox-a breaker_open');
  await repair();
  const answering = async () => (await ask()).tried[0];
  await expect.poll(answering, { interval: 1_000 }).toBe('sandbox-a');
  expect([await ask(), await ask()].map(({ tried }) => tried)).toEqual([['sandbox-a'], ['sandbox-a']]);
});

test('the model that shows failover is never answered from the cache, others are', async () => {
  const twice = async (model: string) => [(await ask(model)).cache, (await ask(model)).cache];
  expect([await twice('sandbox-chat'), await twice('sandbox-fast')]).toEqual([
    ['BYPASS', 'BYPASS'],
    ['MISS', 'HIT'],
  ]);
});
