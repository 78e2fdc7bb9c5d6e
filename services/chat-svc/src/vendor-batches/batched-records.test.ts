import { batchedCallSchema, type LineOfBatch, type Principal } from '@tallyport/contracts';
import { catalogueOf, modelOf, offerOf } from '@tallyport/contracts/testing';
import type { Simulator } from '@tallyport/simulator';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { untilFound } from '../../../../tests/support/probe.ts';
import { type ChatBench, startChatBench } from '../testing/chat-bench.ts';

const pricing = { prompt: '0.000002', completion: '0.00001' };
const principal: Principal = { accountId: 'account', keyId: 'key' };
const messages = [{ role: 'user', content: 'Hello there' }];
const recordAt = '2026-11-28T23:59:58.123Z';

/** Replicas of chat-svc, each with a journal of its own. */
let replicas: readonly [ChatBench, ChatBench];
const startReplica = () =>
  startChatBench({
    catalogue: catalogueOf(modelOf('gpt', [offerOf('openai', { modelName: 'gpt-4o-mini', pricing })])),
    environment: ({ baseUrl }: Simulator) => ({ OPENAI_API_KEY: 'key', OPENAI_BASE_URL: baseUrl('openai') }),
  });
beforeAll(async () => {
  replicas = [await startReplica(), await startReplica()];
});
afterEach(() => {
  for (const { usage } of replicas) usage.length = 0;
});
afterAll(async () => {
  for (const replica of replicas) await replica.close();
});

const askLine = (replica: ChatBench, body: string | object, batch: Partial<LineOfBatch>) => {
  const line = { id: 'batch_1', line: 1, recordAt, ...batch };
  const bytes = Buffer.from(typeof body === 'string' ? body : JSON.stringify(body));
  return replica.ask(bytes, { principal, batch: line, requestId: `${line.id}-${line.line}` });
};

/** What the ledger counts a record once by, of the record of each replica. */
async function recorded() {
  const records = replicas.map(({ usage }) => untilFound(() => usage[0]));
  return (await Promise.all(records)).map(({ id, at, status }) => ({ id, at, status }));
}

test('a line of a vendor that two replicas settle has one record', async () => {
  const [one] = replicas;
  const body = JSON.stringify({ model: 'gpt', messages });
  const call = batchedCallSchema.parse(JSON.parse((await askLine(one, body, { mayDefer: true })).text));
  const path = `${one.simulator.url}${call.endpoint}`;
  const headers = { authorization: 'Bearer key' };
  const answer = await (await fetch(path, { method: 'POST', headers, body: call.body })).text();
  const { providerId, model, key } = call;
  const answered = { providerId, model, key, bytes: Buffer.byteLength(answer) };
  for (const replica of replicas) expect((await askLine(replica, body + answer, { answered })).status).toBe(200);
  const [first, second] = await recorded();
  expect(first).toEqual({ id: expect.stringMatching(/^use_/), at: recordAt, status: 200 });
  expect(second).toEqual(first);
});

test('a line that two replicas refuse has one record, and another one where the reason is another', async () => {
  const [one, other] = replicas;
  const refuse = async (replica: ChatBench, body: object) => (await askLine(replica, body, {})).status;
  expect(await refuse(one, { model: 'gone', messages })).toBe(404);
  expect(await refuse(other, { model: 'gone', messages })).toBe(404);
  const [first, second] = await recorded();
  expect(first).toEqual({ id: expect.stringMatching(/^use_/), at: recordAt, status: 404 });
  expect(second).toEqual(first);
  expect(await refuse(other, { model: 'gpt', messages: [] })).toBe(400);
  const { id } = await untilFound(() => other.usage[1]);
  expect(id).not.toBe(first?.id);
});
