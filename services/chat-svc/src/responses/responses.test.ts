import { openMemoryStore } from '@tallyport/store';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { type AskOptions, type ChatBench, eventsIn, startChatBench } from '../testing/chat-bench.ts';

let bench: ChatBench;
beforeAll(async () => {
  bench = await startChatBench({
    environment: { RESPONSES_MAX_BYTES: '20000', RESPONSES_ACCOUNT_MAX_BYTES: '100000', CACHE_TTL_SECONDS: '0' },
  });
});
afterEach(() => bench.simulator.reset());
afterAll(() => bench.close());

const principal = { accountId: 'account', keyId: 'key' };
const otherAccount = { principal: { accountId: 'another', keyId: 'other' } };
const respond = async (members: object = {}, options: AskOptions = {}, on = bench) => {
  const answer = await on.inApi(
    'responses',
    { model: 'sandbox-chat', input: 'Hello', ...members },
    { principal, ...options },
  );
  return { ...answer, response: answer.text === '' ? undefined : JSON.parse(answer.text) };
};
const stored = (operation: Parameters<ChatBench['stored']>[0], path: string, options: AskOptions = {}) =>
  bench.stored(operation, path, { principal, ...options });
const lastEventOf = (text: string) => JSON.parse(eventsIn(text).at(-1)?.split('data: ').at(-1) ?? '');
const saidToVendor = () => JSON.stringify(bench.simulator.requests.at(-1));

describe('a stored response', () => {
  test('is returned as it was sent', async () => {
    const { response } = await respond({ metadata: { k: 'v' } });
    expect(response).toMatchObject({ id: expect.stringMatching(/^resp_[0-9a-f]{32}$/), store: true });
    const { status, text } = await stored('getResponse', response.id);
    expect([status, JSON.parse(text)]).toEqual([200, response]);
  });

  test('is continued by another, with all that was said and without its instructions', async () => {
    const first = await respond({ input: 'One', instructions: 'First instructions.' });
    const second = await respond({ input: 'Two', previous_response_id: first.response.id });
    const third = await respond({ input: 'Three', previous_response_id: second.response.id });
    expect([first.status, second.status, third.status]).toEqual([200, 200, 200]);
    expect(third.response.previous_response_id).toBe(second.response.id);
    expect(saidToVendor()).toMatch(/One.*Two.*Three/);
    expect(saidToVendor()).not.toContain('First instructions.');
  });

  test('can be continued twice', async () => {
    const { response } = await respond({ input: 'Root' });
    for (const input of ['Left', 'Right']) await respond({ input, previous_response_id: response.id });
    expect(saidToVendor()).toContain('Right');
    expect(saidToVendor()).not.toContain('Left');
  });

  test('is stored when its stream has ended, with every event as before', async () => {
    const streamed = await bench.inApi(
      'responses',
      { model: 'sandbox-chat', input: 'Hello', stream: true },
      { principal },
    );
    const { type, response } = lastEventOf(streamed.text);
    expect([type, response.store]).toEqual(['response.completed', true]);
    expect(JSON.parse((await stored('getResponse', response.id)).text)).toEqual(response);
    expect((await respond({ input: 'Next', previous_response_id: response.id })).status).toBe(200);
    expect(saidToVendor()).toContain('Hello');
  });

  test('has items that a request refers to, which are stored with it', async () => {
    const first = await respond({ input: 'One' });
    const [item] = first.response.output;
    const input = [
      { role: 'user', content: 'One' },
      { type: 'item_reference', id: item.id },
      { role: 'user', content: 'Two' },
    ];
    const second = await respond({ input });
    expect(second.status).toBe(200);
    expect(saidToVendor()).toMatch(/One.*simulated answer.*Two/);
    await stored('deleteResponse', first.response.id);
    expect((await respond({ input: 'Three', previous_response_id: second.response.id })).status).toBe(200);
    expect(await respond({ input })).toMatchObject({
      status: 404,
      error: { code: 'not_found', message: `Item with id '${item.id}' not found.`, param: 'input[1].id' },
    });
  });

  test('that was cut at its token limit can be continued', async () => {
    const { response } = await respond({ input: '[words:400]', max_output_tokens: 20 });
    expect([response.status, response.store]).toEqual(['incomplete', true]);
    expect((await respond({ input: 'Go on.', previous_response_id: response.id })).status).toBe(200);
  });

  test('lists what it answered, with the conversation before it, in pages', async () => {
    const first = await respond({ input: 'One' });
    const second = await respond({ input: 'Two', previous_response_id: first.response.id });
    const list = async (query: string) =>
      JSON.parse((await stored('listInputItems', `${second.response.id}/input_items`, { query })).text);
    const all = await list('order=asc');
    expect(all.data).toMatchObject([
      { role: 'user', content: [{ text: 'One' }] },
      first.response.output[0],
      { role: 'user', content: [{ text: 'Two' }] },
    ]);
    expect(await list('limit=2')).toMatchObject({ data: all.data.toReversed().slice(0, 2), has_more: true });
    expect(await list(`limit=2&after=${all.data[1].id}`)).toMatchObject({ data: [all.data[0]], has_more: false });
  });

  test('cannot be cancelled, because it was not made in the background', async () => {
    const { response } = await respond();
    expect(await stored('cancelResponse', `${response.id}/cancel`)).toMatchObject({
      status: 400,
      error: { code: 'invalid_parameters', message: expect.stringMatching(/^Cannot cancel a synchronous response\./) },
    });
  });

  test('is not streamed again', async () => {
    const { response } = await respond();
    const again = await stored('getResponse', response.id, { query: 'stream=true' });
    expect(again).toMatchObject({ status: 400, error: { param: 'stream' } });
  });

  test('counts in an estimate of input tokens', async () => {
    const count = async (members: object) => {
      const { text } = await bench.countResponseTokens(
        { model: 'sandbox-chat', input: 'Hi', ...members },
        { principal },
      );
      return JSON.parse(text);
    };
    const { response } = await respond({ input: 'word '.repeat(400) });
    const alone = await count({});
    expect(alone).toEqual({ object: 'response.input_tokens', input_tokens: expect.any(Number) });
    expect((await count({ previous_response_id: response.id })).input_tokens).toBeGreaterThan(alone.input_tokens + 400);
  });
});

describe('an id that is', () => {
  const unknown = 'resp_00000000000000000000000000000000';
  const ids: [string, () => Promise<[string, AskOptions?]>][] = [
    ['unknown', async () => [unknown]],
    ['of no response at all', async () => [`${'x'.repeat(5_000)}/\u0000`]],
    ["another account's", async () => [(await respond()).response.id, otherAccount]],
    [
      'deleted',
      async () => {
        const { id } = (await respond()).response;
        await stored('deleteResponse', id);
        return [id];
      },
    ],
    ['of a response with store: false', async () => [(await respond({ store: false })).response.id]],
    ['of a response that was too large', async () => [(await respond({ input: 'x'.repeat(20_000) })).response.id]],
    ['of a stream that broke off', brokenStream],
  ];

  test.each(ids)('%s is refused in the same way everywhere', async (_name, idOf) => {
    const [id, options = {}] = await idOf();
    const message = 'No response with this id is stored. It has expired or was deleted, or its store member was false.';
    const refused = { status: 404, error: { code: 'not_found', message, param: undefined } };
    expect(await stored('getResponse', id, options)).toMatchObject(refused);
    expect(await stored('deleteResponse', id, options)).toMatchObject(refused);
    expect(await stored('listInputItems', `${id}/input_items`, options)).toMatchObject(refused);
    expect(await stored('cancelResponse', `${id}/cancel`, options)).toMatchObject(refused);
    expect(await respond({ previous_response_id: id }, options)).toMatchObject({
      status: 400,
      error: {
        code: 'previous_response_not_found',
        message: expect.stringMatching(/^Previous response with id '.{1,64}' not found\. It has expired/),
        param: 'previous_response_id',
      },
    });
  });
});

async function brokenStream(): Promise<[string]> {
  for (const provider of bench.providers) bench.simulator.faults.set({ provider, fault: 'cut:2000' });
  const body = { model: 'sandbox-chat', input: '[words:400]', stream: true };
  const { text } = await bench.inApi('responses', body, { principal });
  const { type, response } = lastEventOf(text);
  bench.simulator.reset();
  expect(type).toBe('response.failed');
  return [response.id];
}

test('a response that has expired cannot be continued', async () => {
  const store = openMemoryStore();
  const brief = { ...store, set: (name: string, value: Uint8Array) => store.set(name, value, 20) };
  const forgetful = await startChatBench({ store: brief });
  const { id } = (await respond({}, {}, forgetful)).response;
  await expect
    .poll(async () => (await respond({ previous_response_id: id }, {}, forgetful)).error)
    .toMatchObject({ status: 400, code: 'previous_response_not_found', param: 'previous_response_id' });
  await forgetful.close();
  await store.close();
});

test('a conversation with a deleted response cannot be continued', async () => {
  const first = await respond({ input: 'One' });
  const second = await respond({ input: 'Two', previous_response_id: first.response.id });
  expect((await stored('deleteResponse', first.response.id)).text).toBe(
    JSON.stringify({ id: first.response.id, object: 'response', deleted: true }),
  );
  expect((await stored('getResponse', second.response.id)).status).toBe(200);
  expect((await respond({ previous_response_id: second.response.id })).error?.status).toBe(400);
});

test('a response that is not stored says so', async () => {
  expect((await respond({ store: false })).response.store).toBe(false);
  expect((await respond({ input: 'x'.repeat(20_000) })).response.store).toBe(false);
  const full = { principal: { accountId: 'full', keyId: 'key' } };
  const stores = [];
  for (let count = 0; count < 8; count += 1) {
    stores.push((await respond({ input: 'x'.repeat(14_000) }, full)).response.store);
  }
  expect([stores[0], stores.at(-1)]).toEqual([true, false]);
  expect(await bench.metrics()).toMatch(/gateway_responses_stored_total\{result="account_full"\} [1-9]/);
});

test('ids of prompts are refused by name', async () => {
  const refused = { code: 'unsupported_parameter', param: 'prompt' };
  expect((await respond({ prompt: { id: 'pmpt_1' } })).error).toMatchObject(refused);
});

test('limits and the ledger count a continued response as every chat', async () => {
  const { response } = await respond();
  const before = bench.usage.length;
  await respond({ previous_response_id: response.id });
  await expect.poll(() => bench.usage.length).toBe(before + 1);
  expect(bench.usage.at(-1)).toMatchObject({ operation: 'chat', accountId: 'account', endReason: 'done' });
});

test('with an Idempotency-Key, a repeated request calls no provider', async () => {
  const { response } = await respond();
  const options = { headers: { 'idempotency-key': 'key-1' } };
  const calls = bench.simulator.requests.length;
  const first = await respond({ previous_response_id: response.id }, options);
  const again = await respond({ previous_response_id: response.id }, options);
  expect([first, again].map(({ headers }) => headers['x-tallyport-idempotency'])).toEqual(['new', 'replayed']);
  expect(bench.simulator.requests.length).toBe(calls + 1);
  for (const { response: each } of [first, again]) expect((await stored('getResponse', each.id)).status).toBe(200);
});

describe('with RESPONSES_DAYS=0', () => {
  let off: ChatBench;
  beforeAll(async () => {
    off = await startChatBench({ environment: { RESPONSES_DAYS: '0' } });
  });
  afterAll(() => off.close());

  test('a response is not stored, and says so', async () => {
    expect((await respond({ store: true }, {}, off)).response).toMatchObject({ store: false, status: 'completed' });
  });

  test('every use of stored responses names the setting', async () => {
    expect((await respond({ previous_response_id: 'resp_1' }, {}, off)).error).toMatchObject({
      code: 'previous_response_not_found',
      param: 'previous_response_id',
      message: expect.stringContaining('RESPONSES_DAYS is 0'),
    });
    expect((await respond({ background: true }, {}, off)).error).toMatchObject({
      code: 'unsupported_parameter',
      param: 'background',
    });
    const reference = { type: 'item_reference', id: 'msg_1_1' };
    expect((await respond({ input: [reference] }, {}, off)).error).toMatchObject({
      code: 'unsupported_parameter',
      param: 'input[0].type',
      message: expect.stringContaining('this gateway stores no responses; send the item itself'),
    });
    for (const operation of ['getResponse', 'deleteResponse', 'listInputItems', 'cancelResponse'] as const) {
      expect((await off.stored(operation, 'resp_1', { principal })).error).toMatchObject({
        code: 'not_found',
        message: expect.stringContaining('RESPONSES_DAYS is 0'),
      });
    }
  });
});
