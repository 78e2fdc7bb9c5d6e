import OpenAI from 'openai';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Gateway, startGateway } from '../gateway/in-process.ts';

/** Tests stored responses of the OpenAI SDK through the whole gateway. */
let gateway: Gateway;
beforeAll(async () => {
  gateway = await startGateway();
});
afterAll(() => gateway.stop());

const model = 'sandbox-chat';
const client = () => new OpenAI({ baseURL: `${gateway.baseUrl}/v1`, apiKey: gateway.apiKey, maxRetries: 0 });
const responses = () => client().responses;
const outcome = (pending: Promise<unknown>) => pending.then(() => 'done').catch((error: unknown) => error);

test('a response is continued, plain and streamed, returned, listed and deleted', async () => {
  const first = await responses().create({ model, input: 'One', instructions: 'Be brief.' });
  const second = await responses().stream({ model, input: 'Two', previous_response_id: first.id }).finalResponse();
  expect(second).toMatchObject({ status: 'completed', previous_response_id: first.id, store: true });
  const third = await responses().create({ model, input: 'Three', previous_response_id: second.id });
  expect(await responses().retrieve(third.id)).toMatchObject({ id: third.id, output_text: third.output_text });

  const items = [];
  for await (const item of responses().inputItems.list(third.id, { limit: 2, order: 'asc' })) items.push(item);
  expect(items).toMatchObject([
    { role: 'user', content: [{ text: 'One' }] },
    { id: first.output[0]?.id, role: 'assistant' },
    { role: 'user', content: [{ text: 'Two' }] },
    { id: second.output[0]?.id, role: 'assistant' },
    { role: 'user', content: [{ text: 'Three' }] },
  ]);

  await responses().delete(third.id);
  expect(await outcome(responses().retrieve(third.id))).toMatchObject({ status: 404, code: 'not_found' });
  expect(await outcome(responses().delete(third.id))).toMatchObject({ status: 404, code: 'not_found' });
  expect(await outcome(responses().create({ model, input: 'Four', previous_response_id: third.id }))).toMatchObject({
    status: 400,
    code: 'previous_response_not_found',
    param: 'previous_response_id',
  });
});

test('a response cannot be cancelled, and its input tokens are estimated', async () => {
  const { id } = await responses().create({ model, input: 'One' });
  expect(await outcome(responses().cancel(id))).toMatchObject({
    status: 400,
    message: expect.stringContaining('Cannot cancel a synchronous response.'),
  });
  expect(await outcome(responses().cancel('resp_unknown'))).toMatchObject({ status: 404 });
  const counted = await responses().inputTokens.count({ model, input: 'Two', previous_response_id: id });
  expect(counted).toEqual({ object: 'response.input_tokens', input_tokens: expect.any(Number) });
});

test('a conversation is created, continued in several turns, listed, changed and deleted', async () => {
  const { conversations } = client();
  const { id } = await conversations.create({
    items: [{ type: 'message', role: 'user', content: 'One' }],
    metadata: { topic: 'numbers' },
  });
  const first = await responses().create({ model, input: 'Two', conversation: id });
  const second = await responses().stream({ model, input: 'Three', conversation: { id } }).finalResponse();
  expect([first.conversation, second.conversation]).toEqual([{ id }, { id }]);

  const items = [];
  for await (const item of conversations.items.list(id, { limit: 2, order: 'asc' })) items.push(item);
  expect(items).toMatchObject([
    { role: 'user', content: [{ text: 'One' }] },
    { role: 'user', content: [{ text: 'Two' }] },
    { id: first.output[0]?.id, role: 'assistant' },
    { role: 'user', content: [{ text: 'Three' }] },
    { id: second.output[0]?.id, role: 'assistant' },
  ]);

  const added = await conversations.items.create(id, { items: [{ type: 'message', role: 'user', content: 'Four' }] });
  const [item] = added.data;
  expect(await conversations.items.retrieve(item?.id ?? '', { conversation_id: id })).toEqual(item);
  expect(await conversations.items.delete(item?.id ?? '', { conversation_id: id })).toMatchObject({ id });
  expect(await outcome(conversations.items.retrieve(item?.id ?? '', { conversation_id: id }))).toMatchObject({
    status: 404,
  });
  expect(await conversations.update(id, { metadata: { topic: 'more' } })).toMatchObject({
    metadata: { topic: 'more' },
  });
  expect(await conversations.retrieve(id)).toMatchObject({ id, object: 'conversation', metadata: { topic: 'more' } });
  expect(await conversations.delete(id)).toEqual({ id, object: 'conversation.deleted', deleted: true });
  expect(await outcome(conversations.retrieve(id))).toMatchObject({ status: 404, code: 'not_found' });
});

test('a conversation is compacted, and its compacted form is continued', async () => {
  const first = await responses().create({ model, input: 'One' });
  const compacted = await responses().compact({ model, previous_response_id: first.id });
  expect(compacted).toMatchObject({
    object: 'response.compaction',
    output: [{ role: 'user' }, { type: 'compaction', encrypted_content: expect.any(String) }],
  });
  const input = [...compacted.output, { type: 'message', role: 'user', content: 'Two' }];
  const next = await responses().create({ model, input: input as OpenAI.Responses.ResponseInput });
  expect(next.output_text).toContain('You said: "Two"');
});

test('paths and methods that do not exist are refused', async () => {
  const ask = async (method: string, path: string) => {
    const headers = { authorization: `Bearer ${gateway.apiKey}` };
    const response = await fetch(`${gateway.baseUrl}/v1/responses${path}`, { method, headers });
    return [response.status, response.headers.get('allow')];
  };
  expect(await ask('PATCH', '/resp_1')).toEqual([405, 'GET, HEAD, DELETE']);
  expect(await ask('GET', '')).toEqual([426, 'POST']);
  expect(await ask('GET', '/')).toEqual([404, null]);
  expect(await ask('GET', '/resp_1/other')).toEqual([404, null]);
  expect(await ask('PATCH', '/../conversations/conv_1/items/msg_1')).toEqual([405, 'GET, HEAD, DELETE, POST']);
  expect(await ask('DELETE', '/../conversations/conv_1/items')).toEqual([404, null]);
});
