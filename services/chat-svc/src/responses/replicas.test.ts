import { afterAll, beforeAll, expect, test } from 'vitest';
import { type ChatReplicas, startChatReplicas } from '../testing/replicas.ts';

let replicas: ChatReplicas;
beforeAll(async () => {
  replicas = await startChatReplicas(2, { CACHE_TTL_SECONDS: '0' });
});
afterAll(() => replicas.stop());

const principal = { accountId: 'account', keyId: 'key' };
const respond = async (index: number, members: object = {}) => {
  const body = { model: 'sandbox-chat', input: 'Hello', ...members };
  const { text, ...answer } = await replicas.benches[index]!.inApi('responses', body, { principal });
  return { ...answer, response: text === '' ? undefined : JSON.parse(text) };
};
const stored = (index: number, operation: 'getResponse' | 'deleteResponse', id: string) =>
  replicas.benches[index]!.stored(operation, id, { principal });

test('a response of one replica is continued, returned and deleted by another', async () => {
  const first = await respond(0, { input: 'One' });
  const second = await respond(1, { input: 'Two', previous_response_id: first.response.id });
  expect(second.status).toBe(200);
  expect(JSON.stringify(replicas.benches[1]!.simulator.requests.at(-1))).toContain('One');
  expect(JSON.parse((await stored(0, 'getResponse', second.response.id)).text)).toEqual(second.response);
  expect((await stored(0, 'deleteResponse', second.response.id)).status).toBe(200);
  expect((await stored(1, 'getResponse', second.response.id)).error?.status).toBe(404);
});

test('without Redis a response is sent and says that it is not stored; stored ones are unavailable, not unknown', async () => {
  const { response } = await respond(0);
  await replicas.redis.kill();
  const next = await respond(0);
  expect([next.status, next.response.store]).toEqual([200, false]);
  const unavailable = {
    code: 'unavailable',
    retryAfterMs: 1_000,
    message: expect.stringContaining('their store is unavailable'),
  };
  expect((await respond(0, { previous_response_id: response.id })).error).toMatchObject(unavailable);
  expect((await stored(1, 'getResponse', response.id)).error).toMatchObject(unavailable);
  expect(await replicas.benches[0]!.metrics()).toContain('gateway_responses_stored_total{result="unavailable"} 1');
  await replicas.redis.restart();
  await expect.poll(async () => (await respond(0)).response.store).toBe(true);
});
