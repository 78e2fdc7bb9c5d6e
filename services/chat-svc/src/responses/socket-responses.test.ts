import { openMemoryStore } from '@tallyport/store';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { type AskOptions, type ChatBench, eventsIn, startChatBench } from '../testing/chat-bench.ts';

const store = openMemoryStore();
let bench: ChatBench;
/** Another replica, of an operator that stores nothing. */
let forgetful: ChatBench;
beforeAll(async () => {
  const environment = { RESPONSES_ACCOUNT_MAX_BYTES: '100000', CACHE_TTL_SECONDS: '0' };
  bench = await startChatBench({ environment, store });
  forgetful = await startChatBench({ environment: { ...environment, RESPONSES_DAYS: '0' }, store });
});
afterEach(() => {
  bench.simulator.reset();
  forgetful.simulator.reset();
});
afterAll(async () => {
  await Promise.all([bench.close(), forgetful.close()]);
  await store.close();
});

const principal = { accountId: 'account', keyId: 'key' };
const socket = { id: 'socket-1' };
const preparing = { id: 'socket-1', prepares: true } as const;

/** The last event of a request on a socket, which is always streamed; or its error. */
async function respond(members: object = {}, options: AskOptions = {}, on = bench) {
  const body = { model: 'sandbox-chat', input: 'Hello', store: false, stream: true, ...members };
  const answer = await on.inApi('responses', body, { principal, socket, ...options });
  const events = eventsIn(answer.text).map((event) => JSON.parse(event.split('data: ').at(-1) ?? ''));
  return { events, response: events.at(-1)?.response, error: answer.error };
}

const saidToVendor = (on = bench) => JSON.stringify(on.simulator.requests.at(-1));
const notFound = { code: 'previous_response_not_found', param: 'previous_response_id' };

describe('a response that is not stored', () => {
  test.each([
    ['of a gateway that stores responses', () => bench],
    ['of one that stores none', () => forgetful],
  ])('is continued on its socket by any replica: %s', async (_name, on) => {
    const first = await respond({ input: 'One' }, {}, on());
    expect(first.response).toMatchObject({ status: 'completed', store: false });
    const second = await respond({ input: 'Two', previous_response_id: first.response.id }, {}, bench);
    const third = await respond({ input: 'Three', previous_response_id: second.response.id }, {}, forgetful);
    expect(third.response.previous_response_id).toBe(second.response.id);
    expect(saidToVendor(forgetful)).toMatch(/One.*Two.*Three/);
  });

  test.each<[string, AskOptions]>([
    ['another socket', { socket: { id: 'socket-2' } }],
    ['no socket', { socket: undefined }],
    ['another account that knows the socket', { principal: { accountId: 'another', keyId: 'key' } }],
    ['another project that knows the socket', { principal: { ...principal, projectId: 'project' } }],
  ])('is unknown to requests of %s', async (_name, options) => {
    const { response } = await respond();
    expect((await respond({ previous_response_id: response.id }, options)).error).toMatchObject(notFound);
    expect((await bench.stored('getResponse', response.id, { principal })).error).toMatchObject({ code: 'not_found' });
  });

  test('continues a stored one, and a stored one continues it', async () => {
    const stored = await respond({ input: 'One', store: true });
    expect(stored.response.store).toBe(true);
    const kept = await respond({ input: 'Two', previous_response_id: stored.response.id });
    const again = await respond({ input: 'Three', previous_response_id: kept.response.id, store: true });
    expect([kept.response.store, again.response.store]).toEqual([false, true]);
    expect(saidToVendor()).toMatch(/One.*Two.*Three/);
  });

  test('is forgotten beyond the bytes of its account, which those that are stored do not share', async () => {
    const full = { principal: { accountId: 'full', keyId: 'key' } };
    const ids: string[] = [];
    for (let count = 0; count < 8; count += 1) {
      ids.push((await respond({ input: 'x'.repeat(14_000) }, full)).response.id);
    }
    expect((await respond({ previous_response_id: ids[0] }, full)).error).toBeUndefined();
    expect((await respond({ previous_response_id: ids.at(-1) }, full)).error).toMatchObject(notFound);
    expect((await respond({ store: true }, full)).response.store).toBe(true);
  });
});

describe('generate: false', () => {
  test('calls no provider, is not recorded, and is continued with what it has prepared', async () => {
    const own = { principal: { accountId: 'prepares', keyId: 'key' } };
    const { events, response } = await respond({ input: 'One', instructions: 'Short.' }, { ...own, socket: preparing });
    expect(events.map(({ type, sequence_number: number }) => [type, number])).toEqual([
      ['response.created', 0],
      ['response.in_progress', 1],
      ['response.completed', 2],
    ]);
    expect(response).toMatchObject({
      id: expect.stringMatching(/^resp_/),
      status: 'completed',
      model: 'sandbox-chat',
      output: [],
      store: false,
      usage: { input_tokens: 0, output_tokens: 0, total_tokens: 0 },
    });
    expect(bench.simulator.requests).toEqual([]);
    const second = await respond({ input: [], previous_response_id: response.id }, own);
    expect(second.response).toMatchObject({ status: 'completed', previous_response_id: response.id });
    expect(saidToVendor()).toContain('One');
    const records = () => bench.usage.filter(({ accountId }) => accountId === 'prepares');
    await expect.poll(records).toHaveLength(1);
  });

  test('may be without input, as the first request of Codex', async () => {
    const { response } = await respond({ input: [], instructions: 'Short.' }, { socket: preparing });
    expect(response).toMatchObject({ status: 'completed', output: [] });
    await respond({ input: 'One', previous_response_id: response.id });
    expect(saidToVendor()).toContain('One');
  });

  test('continues a response itself, and is stored if its request says so', async () => {
    const first = await respond({ input: 'One' });
    const prepared = await respond(
      { input: 'Two', previous_response_id: first.response.id, store: true },
      { socket: preparing },
    );
    expect(prepared.response.store).toBe(true);
    await respond({ input: 'Three', previous_response_id: prepared.response.id });
    expect(saidToVendor()).toMatch(/One.*Two.*Three/);
  });

  test.each([
    ['an unknown response', { previous_response_id: 'resp_0' }, notFound],
    ['a body that is wrong', { input: 7 }, { code: 'invalid_parameters', param: 'input' }],
    ['a turn of a conversation', { conversation: 'conv_0' }, { code: 'invalid_parameters', param: 'conversation' }],
  ])('of %s is refused as any request', async (_name, members, error) => {
    expect((await respond(members, { socket: preparing })).error).toMatchObject(error);
  });
});
