import { afterAll, beforeAll, expect, test } from 'vitest';
import { firstAnswer } from '../../../../tests/support/probe.ts';
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

test('turns at two replicas at the same time are added to one conversation, and read by both', async () => {
  const { text } = await replicas.benches[0]!.conversation('createConversation', {}, { principal });
  const { id } = JSON.parse(text);
  const turns = await Promise.all(
    Array.from({ length: 8 }, (_, at) => respond(at % 2, { input: `Turn ${at}`, conversation: id })),
  );
  expect(turns.map(({ response }) => response.conversation)).toEqual(turns.map(() => ({ id })));
  const list = { principal, path: `${id}/items`, query: 'limit=100' };
  const listed = await replicas.benches[1]!.conversation('listConversationItems', undefined, list);
  expect(JSON.parse(listed.text).data).toHaveLength(16);
  expect(
    (await replicas.benches[1]!.conversation('deleteConversation', undefined, { principal, path: id })).status,
  ).toBe(200);
  expect((await respond(0, { conversation: id })).error?.code).toBe('not_found');
});

test('a compaction of one replica is read by another', async () => {
  const trigger = { type: 'compaction_trigger' };
  const { response } = await respond(0, { input: [{ role: 'user', content: 'One' }, trigger], store: false });
  const next = await respond(1, { input: [...response.output, { role: 'user', content: 'Two' }] });
  expect(next.status).toBe(200);
  expect(JSON.stringify(replicas.benches[1]!.simulator.requests.at(-1))).toContain('This is a summary');
});

test.each([{}, { stream: true }])(
  'an Idempotency-Key whose replica dies continues its background response at another one: %j',
  async (members) => {
    const key = `key-${JSON.stringify(members)}`;
    const body = { model: 'sandbox-chat', input: '[words:60]', background: true, ...members };
    const asking = { principal, headers: { 'idempotency-key': key } };
    const before = replicas.calls();
    const first = replicas.benches[0]!.inApi('responses', body, asking);
    await expect.poll(replicas.calls, { interval: 5 }).toBe(before + 1);
    // Its replica renews the lease of the key no longer.
    const { hostname, port } = new URL(replicas.redis.url);
    const forget = `for _, key in ipairs(redis.call('KEYS','*once:*')) do redis.call('DEL', key) end return 1`;
    let again = { status: 0, text: '' };
    // The first replica may store its answer after the key was forgotten.
    await expect
      .poll(async () => {
        await firstAnswer(hostname, Number(port), `EVAL "${forget}" 0\r\n`);
        const answer = await replicas.benches[1]!.inApi('responses', body, asking);
        again = answer;
        return answer.headers['x-tallyport-idempotency'];
      })
      .toBe('new');
    expect([again.status, again.text]).toEqual([200, (await first).text]);
    expect(replicas.calls()).toBe(before + 1);
  },
);

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
  expect((await respond(0, { conversation: 'conv_1' })).error).toMatchObject({
    code: 'unavailable',
    message: expect.stringMatching(/^Conversations cannot be read/),
  });
  const item = { type: 'compaction', encrypted_content: 'tallyport-1.compaction.AAAA' };
  expect((await respond(0, { input: [item] })).error).toMatchObject({
    code: 'unavailable',
    message: expect.stringMatching(/^Compacted conversations cannot be read/),
  });
  expect(await replicas.benches[0]!.metrics()).toContain('gateway_responses_stored_total{result="unavailable"} 1');
  await replicas.redis.restart();
  await expect.poll(async () => (await respond(0)).response.store).toBe(true);
});
