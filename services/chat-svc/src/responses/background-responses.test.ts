import { catalogueOf, modelOf, offerOf } from '@tallyport/contracts/testing';
import { sandboxProviders, sharedModel, type Simulator } from '@tallyport/simulator';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { type AskOptions, type ChatBench, startChatBench } from '../testing/chat-bench.ts';

const [translated = ''] = sandboxProviders.map(({ id }) => id);
const pricing = { prompt: '0.000005', completion: '0.000025' };

let bench: ChatBench;
beforeAll(async () => {
  bench = await startChatBench({
    chunksPerSecond: 0,
    catalogue: catalogueOf(
      modelOf('gpt-5.1', [offerOf('openai', { modelName: 'gpt-5.1', pricing })]),
      modelOf('other', [offerOf(translated, { modelName: sharedModel, pricing })]),
    ),
    environment: ({ baseUrl }: Simulator) => ({
      OPENAI_API_KEY: 'sk-of-the-gateway',
      OPENAI_BASE_URL: baseUrl('openai'),
      CACHE_TTL_SECONDS: '0',
      RESPONSES_MAX_BYTES: '20000',
    }),
  });
});
afterEach(() => {
  bench.simulator.reset();
  bench.usage.length = 0;
});
afterAll(() => bench.close());

const principal = { accountId: 'account', keyId: 'key' };
const waiting = { interval: 5 };
const post = (members: object = {}, options: AskOptions = {}) =>
  bench.inApi('responses', { model: 'other', input: 'Hello', background: true, ...members }, { principal, ...options });
const stored = (operation: Parameters<ChatBench['stored']>[0], path: string, options: AskOptions = {}) =>
  bench.stored(operation, path, { principal, ...options });
const get = async (id: string, options: AskOptions = {}) => JSON.parse((await stored('getResponse', id, options)).text);
const ended = async (id: string) => {
  await expect.poll(async () => (await get(id)).status, waiting).not.toMatch(/queued|in_progress/);
  return get(id);
};
const begin = async (
  members: object = {},
  options: AskOptions = {},
): Promise<Record<string, unknown> & { id: string }> => JSON.parse((await post(members, options)).text);
const documentsIn = (text: string): Record<string, unknown>[] =>
  text.split('\n\n').flatMap((event) => {
    const [, json] = /^event: .*\ndata: (.*)$/.exec(event) ?? [];
    return json === undefined ? [] : [JSON.parse(json)];
  });
const usage = () => bench.usage.map(({ provider, status, cost }) => ({ provider, status, isPaid: Number(cost) > 0 }));
const slow = (provider: string, fault = 'slow-first-byte:600') => bench.simulator.faults.set({ provider, fault });

describe.each([
  ['translated', 'other', translated],
  ['passed on', 'gpt-5.1', 'openai'],
])('a background response that is %s', (_lane, model, provider) => {
  test('is queued at once, then made, and paid for like every response', async () => {
    slow(provider);
    const first = await post({ model, metadata: { k: 'v' } });
    const queued = JSON.parse(first.text);
    expect([first.status, queued]).toMatchObject([
      200,
      { id: expect.stringMatching(/^resp_[0-9a-f]{32}$/), status: 'queued', background: true, output: [], store: true },
    ]);
    expect(await get(queued.id)).toEqual({ ...queued, status: 'in_progress' });
    const response = await ended(queued.id);
    const { id, created_at } = queued;
    expect(response).toMatchObject({ id, created_at, status: 'completed', background: true, store: true });
    expect(response.output.length).toBeGreaterThan(0);
    expect(usage()).toEqual([{ provider, status: 200, isPaid: true }]);
    expect(bench.simulator.requests.map(({ body }) => JSON.parse(body).background)).toEqual([undefined]);
  });

  test('is streamed with the events and numbers of a background stream, and again from each event on', async () => {
    const streamed = await post({ model, stream: true });
    expect(streamed.headers['content-type']).toContain('text/event-stream');
    const events = documentsIn(streamed.text);
    const types = events.map(({ type }) => type);
    expect(types.slice(0, 4)).toEqual([
      'response.created',
      'response.queued',
      'response.in_progress',
      'response.output_item.added',
    ]);
    expect(types.filter((type) => /created|queued|in_progress|completed/.test(String(type))).length).toBe(4);
    expect(events.map(({ sequence_number: number }) => number)).toEqual(events.map((_event, index) => index));
    const { response } = events.at(-1) as { response: { id: string } };
    expect(response).toMatchObject({ status: 'completed', background: true, store: true });
    expect(await get(response.id)).toEqual(response);
    for (let after = -1; after <= events.length; after += 1) {
      const query = after < 0 ? 'stream=true' : `stream=true&starting_after=${after}`;
      const again = await stored('getResponse', response.id, { query });
      expect(documentsIn(again.text)).toEqual(events.slice(after + 1));
    }
    expect(usage()).toEqual([{ provider, status: 200, isPaid: true }]);
  });

  test('is continued, listed and deleted like every stored response', async () => {
    const { id } = await begin({ model, input: 'One' });
    await ended(id);
    const next = await begin({ model, input: 'Two', previous_response_id: id });
    expect(await ended(next.id)).toMatchObject({ status: 'completed', previous_response_id: id });
    expect(bench.simulator.requests.at(-1)?.body).toMatch(/One.*Two/);
    const items = JSON.parse((await stored('listInputItems', `${next.id}/input_items`, { query: 'order=asc' })).text);
    expect(items.data.length).toBe(3);
    expect((await stored('deleteResponse', id)).status).toBe(200);
    for (const query of ['', 'stream=true'])
      expect((await stored('getResponse', id, { query })).error?.code).toBe('not_found');
    expect((await stored('deleteResponse', id)).error?.code).toBe('not_found');
  });

  test('is made when its client has left, also while it streams', async () => {
    slow(provider, 'slow-first-byte:300');
    const leaving = new AbortController();
    const { body } = await bench.openInApi(
      'responses',
      { model, input: 'Hello', background: true, stream: true },
      { principal, signal: leaving.signal },
    );
    let text = '';
    for await (const bytes of body) {
      text += Buffer.from(bytes).toString();
      if (text.includes('response.queued')) break;
    }
    leaving.abort();
    const { response } = documentsIn(text)[0] as { response: { id: string } };
    expect(await ended(response.id)).toMatchObject({ status: 'completed' });
    expect(usage()).toEqual([{ provider, status: 200, isPaid: true }]);
  });

  test('is cancelled while its provider works, and what was delivered is paid for', async () => {
    bench.simulator.faults.set({ provider, fault: 'drip:30' });
    const leaving = new AbortController();
    const { body } = await bench.openInApi(
      'responses',
      { model, input: '[words:90]', background: true, stream: true },
      { principal, signal: leaving.signal },
    );
    let text = '';
    let cancelling: ReturnType<typeof stored> | undefined;
    for await (const bytes of body) {
      text += Buffer.from(bytes).toString();
      const { response } = documentsIn(text)[0] as { response: { id: string } };
      if (text.split('output_text.delta').length > 6) cancelling ??= stored('cancelResponse', `${response.id}/cancel`);
    }
    const cancelled = JSON.parse((await cancelling!).text);
    expect(cancelled).toMatchObject({ status: 'cancelled', background: true, error: null, output: [] });
    const events = documentsIn(text);
    expect(events.at(-1)).toMatchObject({ type: 'response.cancelled', response: cancelled });
    expect(events.map(({ sequence_number: number }) => number)).toEqual(events.map((_event, index) => index));
    expect(await get(cancelled.id)).toEqual(cancelled);
    expect(JSON.parse((await stored('cancelResponse', `${cancelled.id}/cancel`)).text)).toEqual(cancelled);
    await expect.poll(usage, waiting).toEqual([{ provider, status: 499, isPaid: true }]);
    expect(bench.simulator.requests.length).toBe(1);
  });

  test('fails with its provider', async () => {
    bench.simulator.faults.set({ provider, fault: 'status:400' });
    const { id } = await begin({ model });
    expect(await ended(id)).toMatchObject({ status: 'failed', error: { code: expect.any(String) }, output: [] });
    await expect.poll(() => bench.usage.map(({ status, cost }) => [status, cost]), waiting).toEqual([[400, '0']]);
  });
});

describe('a background request is refused', () => {
  test.each<[string, object, object]>([
    ['that is not to be stored', { store: false }, { code: 'invalid_parameters', param: 'store' }],
    ['for an unknown model', { model: 'unknown' }, { code: 'model_not_found' }],
    ['that continues an unknown response', { previous_response_id: 'resp_1' }, { code: 'previous_response_not_found' }],
    ['with a member that no lane supports', { prompt: { id: 'pmpt_1' } }, { code: 'unsupported_parameter' }],
    ['with a wrong type', { background: 'yes' }, { code: 'invalid_parameters', param: 'background' }],
    ['that is too large to be stored', { input: 'x'.repeat(20_000) }, { code: 'request_too_large' }],
  ])('%s', async (_what, members, refusal) => {
    expect((await post(members)).error).toMatchObject(refusal);
    expect(bench.simulator.requests).toEqual([]);
  });

  test('by a guardrail, with a record', async () => {
    const guarded = { ...principal, guardrails: [{ request: { detect: { email: 'block' as const } } }] };
    const refused = await post({ input: 'ada@example.com' }, { principal: guarded });
    expect(refused.error?.code).toBe('guardrail_blocked');
    await expect.poll(() => bench.usage.map(({ error, cost }) => [error, cost])).toEqual([['guardrail_blocked', '0']]);
  });

  test('by a budget, as without background', async () => {
    const poor = { ...principal, accountId: 'poor', budgets: { account: { amount: '0', period: 'month' as const } } };
    const plain = await bench.inApi('responses', { model: 'other', input: 'Hello' }, { principal: poor });
    const refused = await post({}, { principal: poor });
    expect([refused.status, JSON.parse(refused.text)]).toEqual([plain.status, JSON.parse(plain.text)]);
    expect(refused.status).toBe(402);
  });
});

test('a request is redacted before it is stored, and its answer by the rules of its key', async () => {
  const guardrails = [{ request: { detect: { email: 'redact' as const } } }];
  const { id } = await begin({ input: 'I am ada@example.com' }, { principal: { ...principal, guardrails } });
  await ended(id);
  expect(bench.simulator.requests.at(-1)?.body).not.toContain('ada@example.com');
  const findings = () => bench.usage.flatMap(({ guardrails: found = [] }) => found);
  await expect.poll(findings, waiting).toEqual([{ rule: 'email', action: 'redact', count: 1 }]);
});

test('the events of a response are not shown under other guardrails for answers', async () => {
  const { id } = await begin({ stream: false });
  await ended(id);
  const guardrails = [{ answer: { detect: { email: 'redact' as const } } }];
  const asked = await stored('getResponse', id, { query: 'stream=true', principal: { ...principal, guardrails } });
  expect(asked.error).toMatchObject({ code: 'permission_denied', param: 'stream' });
});

test('a response that cannot be stored has failed, with the reason', async () => {
  const { id } = await begin({ input: `${'x'.repeat(15_000)} [words:2000]` });
  expect(await ended(id)).toMatchObject({
    status: 'failed',
    output: [],
    error: { code: 'server_error', message: expect.stringContaining('made and paid for, but could not be stored') },
  });
  expect(usage()).toMatchObject([{ status: 200, isPaid: true }]);
});

test('an Idempotency-Key begins one response, however often it is sent', async () => {
  const options = { headers: { 'idempotency-key': 'one' } };
  const [first, again] = [await post({}, options), await post({}, options)];
  expect([first, again].map(({ headers }) => headers['x-tallyport-idempotency'])).toEqual(['new', 'replayed']);
  expect(again.text).toBe(first.text);
  await ended(JSON.parse(first.text).id);
  expect(bench.simulator.requests.length).toBe(1);
  const other = await post({}, { ...options, principal: { ...principal, keyId: 'another' } });
  expect(other.error?.code).toBe('idempotency_conflict');
});

test.each([
  ['another account', { accountId: 'another', keyId: 'key' }],
  ['another project', { ...principal, projectId: 'ads' }],
])('%s knows nothing of a response, running or ended', async (_who, stranger) => {
  slow(translated, 'slow-first-byte:200');
  const { id } = await begin();
  const ask = async () => {
    const options = { principal: stranger };
    return [
      await stored('getResponse', id, options),
      await stored('getResponse', id, { ...options, query: 'stream=true&starting_after=0' }),
      await stored('cancelResponse', `${id}/cancel`, options),
      await stored('deleteResponse', id, options),
      await stored('listInputItems', `${id}/input_items`, options),
    ].map(({ error }) => error?.code);
  };
  const unknown = Array.from({ length: 5 }, () => 'not_found');
  expect(await ask()).toEqual(unknown);
  expect(await ended(id)).toMatchObject({ status: 'completed' });
  expect(await ask()).toEqual(unknown);
});

test.each(['-1', '1.5', 'x', '9999999999', ''])('a position of %j is refused', async (position) => {
  const { id } = await begin();
  const asked = await stored('getResponse', id, { query: `stream=true&starting_after=${position}` });
  expect(asked.error).toMatchObject({ code: 'invalid_parameters', param: 'starting_after' });
});

test('the input of a response that has not ended cannot be listed yet', async () => {
  slow(translated, 'slow-first-byte:200');
  const { id } = await begin();
  expect((await stored('listInputItems', `${id}/input_items`)).error?.code).toBe('invalid_parameters');
  await ended(id);
  expect((await stored('listInputItems', `${id}/input_items`)).status).toBe(200);
});
