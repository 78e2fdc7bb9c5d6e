import { catalogueOf, modelOf, offerOf } from '@tallyport/contracts/testing';
import { sandboxProviders, sharedModel, type Simulator } from '@tallyport/simulator';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { type AskOptions, type ChatBench, startChatBench } from '../testing/chat-bench.ts';

const [translated = ''] = sandboxProviders.map(({ id }) => id);
const gemini = 'gemini-3-flash-preview';
const pricing = { prompt: '0.000005', completion: '0.000025' };

let bench: ChatBench;
beforeAll(async () => {
  bench = await startChatBench({
    catalogue: catalogueOf(
      modelOf(gemini, [offerOf('google', { modelName: gemini, pricing })]),
      modelOf('other', [offerOf(translated, { modelName: sharedModel, pricing })]),
    ),
    environment: ({ baseUrl }: Simulator) => ({
      GEMINI_API_KEY: 'key-of-the-gateway',
      GEMINI_BASE_URL: baseUrl('google'),
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

type Document = Record<string, unknown>;

const principal = { accountId: 'account', keyId: 'key' };
const waiting = { interval: 5 };
const post = (members: object = {}, options: AskOptions = {}) =>
  bench.inApi('interact', { model: 'other', input: 'Hello', background: true, ...members }, { principal, ...options });
const begin = async (members: object = {}): Promise<Document & { id: string }> =>
  JSON.parse((await post(members)).text);
const stored = (operation: Parameters<ChatBench['stored']>[0], path: string, options: AskOptions = {}) =>
  bench.stored(operation, path, { principal, ...options });
const get = async (id: string, query = '') => JSON.parse((await stored('getInteraction', id, { query })).text);
const ended = async (id: string) => {
  await expect.poll(async () => (await get(id)).status, waiting).not.toBe('in_progress');
  return get(id);
};
const eventsIn = (text: string): Document[] =>
  [...text.matchAll(/^data: (\{.*\})$/gm)].map(([, json = '']) => JSON.parse(json));
const typesOf = (events: Document[]) => events.map(({ event_type: type }) => type);
const idsOf = (events: Document[]) => events.map(({ event_id: id }) => id);
const numbered = (events: Document[]) => events.map((_event, index) => String(index + 1));
const usage = () => bench.usage.map(({ provider, status, cost }) => ({ provider, status, isPaid: Number(cost) > 0 }));
const interactionOf = ({ interaction }: Document) => interaction as Document & { id: string };

describe.each([
  ['translated', 'other', translated],
  ['passed on', gemini, 'google'],
])('a background interaction that is %s', (_lane, model, provider) => {
  test('is in progress at once, then made, and paid for like every interaction', async () => {
    bench.simulator.faults.set({ provider, fault: 'slow-first-byte:300' });
    const begun = await begin({ model });
    expect(begun).toMatchObject({ id: expect.stringMatching(/^int_[0-9a-f]{32}$/), status: 'in_progress', model });
    expect(await get(begun.id)).toEqual(begun);
    const interaction = await ended(begun.id);
    expect(interaction).toMatchObject({ id: begun.id, created: begun['created'], status: 'completed' });
    expect(interaction.steps.at(-1)).toMatchObject({ type: 'model_output' });
    expect(usage()).toEqual([{ provider, status: 200, isPaid: true }]);
    expect(bench.simulator.requests.map(({ body }) => JSON.parse(body).background)).toEqual([undefined]);
    const next = await begin({ model, input: 'Two', previous_interaction_id: begun.id });
    expect(await ended(next.id)).toMatchObject({ status: 'completed', previous_interaction_id: begun.id });
    expect(await get(next.id, 'include_input=true')).toMatchObject({ input: [{ type: 'user_input' }] });
  });

  test('is streamed with numbered events, and again from each event on', async () => {
    const streamed = await post({ model, stream: true });
    expect(streamed.headers['content-type']).toContain('text/event-stream');
    expect(streamed.text).toMatch(/data: \[DONE\]\n\n$/);
    const events = eventsIn(streamed.text);
    expect(typesOf(events).slice(0, 3)).toEqual(['interaction.created', 'interaction.status_update', 'step.start']);
    expect(typesOf(events).filter((type) => String(type).startsWith('interaction'))).toHaveLength(3);
    expect(idsOf(events)).toEqual(numbered(events));
    const { id, ...last } = interactionOf(events.at(-1)!);
    expect([interactionOf(events[0]!).id, last['status']]).toEqual([id, 'completed']);
    expect(await get(id)).toMatchObject({ id, ...last });
    for (let after = 0; after <= events.length; after += 1) {
      const query = after === 0 ? 'stream=true' : `stream=true&last_event_id=${after}`;
      const again = await stored('getInteraction', id, { query });
      expect(eventsIn(again.text)).toEqual(events.slice(after));
      expect(again.text).toMatch(/data: \[DONE\]\n\n$/);
    }
    expect(usage()).toEqual([{ provider, status: 200, isPaid: true }]);
  });

  test('is cancelled while its provider works, and what was delivered is paid for', async () => {
    bench.simulator.faults.set({ provider, fault: 'drip:30' });
    const { body } = await bench.openInApi(
      'interact',
      { model, input: '[words:90]', background: true, stream: true },
      { principal },
    );
    let text = '';
    let cancelling: ReturnType<typeof stored> | undefined;
    for await (const bytes of body) {
      text += Buffer.from(bytes).toString();
      const { id } = interactionOf(eventsIn(text)[0]!);
      if (text.split('step.delta').length > 6) cancelling ??= stored('cancelInteraction', `${id}/cancel`);
    }
    const cancelled = JSON.parse((await cancelling!).text);
    const events = eventsIn(text);
    expect(cancelled).toMatchObject({ status: 'cancelled', model });
    expect(events.at(-1)).toMatchObject({ event_type: 'interaction.completed', interaction: cancelled });
    expect(idsOf(events)).toEqual(numbered(events));
    expect(await get(cancelled.id)).toEqual(cancelled);
    expect(JSON.parse((await stored('cancelInteraction', `${cancelled.id}/cancel`)).text)).toEqual(cancelled);
    await expect.poll(usage, waiting).toEqual([{ provider, status: 499, isPaid: true }]);
  });

  test('fails with its provider, and is deleted', async () => {
    bench.simulator.faults.set({ provider, fault: 'status:400' });
    const { id } = await begin({ model });
    const failed = { status: 'failed', errors: [{ code: expect.any(String), message: expect.any(String) }] };
    expect(await ended(id)).toMatchObject(failed);
    const events = eventsIn((await stored('getInteraction', id, { query: 'stream=true' })).text);
    expect(typesOf(events)).toEqual(['interaction.created', 'interaction.status_update', 'error']);
    expect(await stored('deleteInteraction', id)).toMatchObject({ status: 200, text: '{}' });
    for (const query of ['', 'stream=true'])
      expect((await stored('getInteraction', id, { query })).error?.code).toBe('not_found');
    expect((await stored('deleteInteraction', id)).error?.code).toBe('not_found');
    await expect.poll(() => bench.usage.map(({ status, cost }) => [status, cost]), waiting).toEqual([[400, '0']]);
  });

  test.each([false, true])('has failed if it cannot be stored: stream %j', async (stream) => {
    const answer = await post({ model, input: `${'x'.repeat(15_000)} [words:2000]`, stream });
    const { id } = stream ? interactionOf(eventsIn(answer.text)[0]!) : JSON.parse(answer.text);
    expect(await ended(id)).toMatchObject({
      status: 'failed',
      errors: [{ message: expect.stringContaining('made and paid for, but could not be stored') }],
    });
    expect(usage()).toMatchObject([{ isPaid: true }]);
  });
});

test.each<[string, object, object]>([
  ['that is not to be stored', { store: false }, { code: 'invalid_parameters', param: 'store' }],
  ['for an unknown model', { model: 'unknown' }, { code: 'model_not_found' }],
  ['that continues an unknown interaction', { previous_interaction_id: 'int_1' }, { status: 404 }],
  ['with a member that no lane supports', { webhook_config: {} }, { param: 'webhook_config' }],
  ['with a wrong type', { background: 'yes' }, { param: 'background' }],
  ['that is too large to be stored', { input: 'x'.repeat(20_000) }, { code: 'request_too_large' }],
])('a background request is refused %s', async (_what, members, refusal) => {
  expect((await post(members)).error).toMatchObject(refusal);
  expect(bench.simulator.requests).toEqual([]);
});

test('an Idempotency-Key begins one interaction, however often it is sent', async () => {
  const options = { headers: { 'idempotency-key': 'one' } };
  const [first, again] = [await post({ stream: true }, options), await post({ stream: true }, options)];
  expect([first, again].map(({ headers }) => headers['x-tallyport-idempotency'])).toEqual(['new', 'replayed']);
  expect(again.text).toBe(first.text);
  expect(bench.simulator.requests.length).toBe(1);
});

test.each([
  ['another account', { accountId: 'another', keyId: 'key' }],
  ['another project', { ...principal, projectId: 'ads' }],
])('%s knows nothing of an interaction, running or ended', async (_who, stranger) => {
  bench.simulator.faults.set({ provider: translated, fault: 'slow-first-byte:200' });
  const { id } = await begin();
  const ask = async () => {
    const options = { principal: stranger };
    return [
      await stored('getInteraction', id, options),
      await stored('getInteraction', id, { ...options, query: 'stream=true&last_event_id=1' }),
      await stored('cancelInteraction', `${id}/cancel`, options),
      await stored('deleteInteraction', id, options),
    ].map(({ error }) => error?.code);
  };
  const unknown = Array.from({ length: 4 }, () => 'not_found');
  expect(await ask()).toEqual(unknown);
  expect(await ended(id)).toMatchObject({ status: 'completed' });
  expect(await ask()).toEqual(unknown);
});

test('an interaction is unknown as a response, and a response as an interaction, running or ended', async () => {
  bench.simulator.faults.set({ provider: translated, fault: 'slow-first-byte:200' });
  const { id } = await begin();
  const request = { model: 'other', input: 'Hello', background: true };
  const { id: response } = JSON.parse((await bench.inApi('responses', request, { principal })).text);
  const ask = async () =>
    [
      await stored('getResponse', id),
      await stored('getResponse', id, { query: 'stream=true' }),
      await stored('listInputItems', `${id}/input_items`),
      await stored('cancelResponse', `${id}/cancel`),
      await stored('deleteResponse', id),
      await stored('getInteraction', response),
      await stored('getInteraction', response, { query: 'stream=true' }),
      await stored('cancelInteraction', `${response}/cancel`),
      await stored('deleteInteraction', response),
    ].map(({ error }) => error?.code);
  const unknown = Array.from({ length: 9 }, () => 'not_found');
  expect(await ask()).toEqual(unknown);
  expect(await ended(id)).toMatchObject({ status: 'completed' });
  const statusOf = async () => JSON.parse((await stored('getResponse', response)).text).status;
  await expect.poll(statusOf, waiting).toBe('completed');
  expect(await ask()).toEqual(unknown);
});

test.each(['0', '-1', '1.5', 'x', '9999999999', ''])('an event id of %j is refused', async (position) => {
  const { id } = await begin();
  const asked = await stored('getInteraction', id, { query: `stream=true&last_event_id=${position}` });
  expect(asked.error).toMatchObject({ code: 'invalid_parameters', param: 'last_event_id' });
});

test('the events of an interaction are not shown under other guardrails for answers', async () => {
  const { id } = await begin();
  await ended(id);
  const guardrails = [{ answer: { detect: { email: 'redact' as const } } }];
  const asked = await stored('getInteraction', id, { query: 'stream=true', principal: { ...principal, guardrails } });
  expect(asked.error).toMatchObject({ code: 'permission_denied', param: 'stream' });
});
