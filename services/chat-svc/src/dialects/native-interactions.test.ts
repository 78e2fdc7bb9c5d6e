import { interactionsErrors } from '@tallyport/contracts';
import { catalogueOf, modelOf, offerOf } from '@tallyport/contracts/testing';
import { sandboxProviders, sharedModel, type Simulator } from '@tallyport/simulator';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { type AskOptions, type ChatBench, type ClientAnswer, startChatBench } from '../testing/chat-bench.ts';

const gemini = 'gemini-3-flash-preview';
const [fallback = ''] = sandboxProviders.map(({ id }) => id);

let bench: ChatBench;
beforeAll(async () => {
  bench = await startChatBench({
    catalogue: catalogueOf(
      modelOf(gemini, [
        offerOf('google', { modelName: gemini }),
        offerOf(fallback, { modelName: sharedModel, priority: 0 }),
      ]),
      modelOf('shared', [offerOf(fallback, { modelName: sharedModel })]),
    ),
    environment: ({ baseUrl }: Simulator) => ({
      GEMINI_API_KEY: 'key-of-the-gateway',
      GEMINI_BASE_URL: baseUrl('google'),
    }),
  });
});
afterEach(() => {
  bench.simulator.reset();
  bench.usage.length = 0;
});
afterAll(() => bench.close());

const principal = { accountId: 'account', keyId: 'key' };
const received = (provider = 'google') => bench.simulator.requests.filter((each) => each.provider === provider);
const sentTo = (provider?: string) => JSON.parse(received(provider).at(-1)?.body ?? '{}');
const bodyOf = (members: object = {}) => ({
  model: gemini,
  input: 'Think about [cached]',
  generation_config: { thinking_summaries: 'auto', thinking_level: 'high' },
  ...members,
});

/** As edge answers. */
async function speak(body: unknown, ask: AskOptions = {}): Promise<ClientAnswer> {
  const answer = await bench.inApi('interact', body, { principal, ...ask });
  if (answer.error === undefined) return answer;
  const refused = interactionsErrors.error(answer.error, 'req_test');
  return { ...answer, status: refused.status, text: JSON.stringify(refused.body) };
}

interface VendorStep {
  type: string;
  id?: string;
  name?: string;
}

interface VendorInteraction {
  id: string;
  status: string;
  steps: VendorStep[];
  usage: Record<string, number>;
}

interface VendorEvent {
  event_type: string;
  interaction?: VendorInteraction;
}

const interactionIn = (text: string): VendorInteraction => JSON.parse(text);
const eventsIn = (text: string): VendorEvent[] =>
  [...text.matchAll(/^data: (.*?)\r?$/gm)].flatMap(([, data = '']) => (data === '[DONE]' ? [] : JSON.parse(data)));

/** The simulator answers one body always alike. */
async function vendorsOwn(body: string): Promise<string> {
  const answer = await fetch(`${bench.simulator.baseUrl('google')}/v1beta/interactions`, {
    method: 'POST',
    headers: { 'x-goog-api-key': 'k' },
    body,
  });
  return answer.text();
}

const forms = [
  ['whole', false],
  ['streamed', true],
] as const;

describe.each(forms)('%s', (_name, stream) => {
  test('body and answer pass, apart from the model, what is stored, and the id', async () => {
    const json = JSON.stringify(bodyOf({ stream, tools: [{ type: 'google_search' }] })).replace('{', '{ ');
    const { status, text, headers } = await speak(Buffer.from(json));
    const [request] = received();
    expect([status, request?.headers['x-goog-api-key']]).toEqual([200, 'key-of-the-gateway']);
    expect(JSON.parse(request?.body ?? '')).toEqual({ ...JSON.parse(json), store: false });
    expect(headers).toMatchObject({ 'x-tallyport-lane': 'native', 'x-tallyport-provider': 'google' });
    const own = await vendorsOwn(request?.body ?? '');
    const ofGateway = (sent: string) =>
      sent.replaceAll(/"v1_\w+"|"int_[0-9a-f]{32}"/g, '"id"').replaceAll(`google/${gemini}`, gemini);
    const parsed = (sent: string) => (stream ? eventsIn(ofGateway(sent)) : JSON.parse(ofGateway(sent)));
    expect(parsed(text)).toEqual(parsed(own));
    expect(text).toMatch(/"id":"int_[0-9a-f]{32}"/);
    expect(text.endsWith('data: [DONE]\n\n')).toBe(stream);
  });

  test('the ledger has the usage of the vendor', async () => {
    const { text } = await speak(bodyOf({ stream, tools: [{ type: 'url_context' }] }));
    const last = stream ? eventsIn(text).at(-1)?.interaction : interactionIn(text);
    const { total_input_tokens: input = 0, total_cached_tokens: cacheRead = 0, ...usage } = last?.usage ?? {};
    const { total_output_tokens: output, total_thought_tokens: reasoning, total_tool_use_tokens: toolPrompt } = usage;
    const tokens = { input: input - cacheRead, cacheRead, output, reasoning, toolPrompt };
    await expect.poll(() => bench.usage).toMatchObject([{ provider: 'google', source: 'reported', tokens }]);
    expect(Object.values(tokens).filter((count) => (count ?? 0) > 0)).toHaveLength(5);
  });

  test('another provider gets the translation if the vendor fails', async () => {
    bench.simulator.faults.set({ provider: 'google', fault: 'status:503' });
    const { text, headers } = await speak(bodyOf({ stream }));
    expect(headers).toMatchObject({ 'x-tallyport-provider': fallback, 'x-tallyport-attempts': '2' });
    expect(headers['x-tallyport-lane']).toBeUndefined();
    expect(stream ? eventsIn(text)[0]?.interaction : JSON.parse(text)).toMatchObject({ model: gemini });
  });
});

test('a stream that breaks ends with an error, and is not stored', async () => {
  bench.simulator.faults.set({ provider: 'google', fault: 'cut:3000' });
  const events = eventsIn((await speak(bodyOf({ stream: true }))).text);
  expect(events.at(-1)).toMatchObject({ event_type: 'error', error: { code: 'UNAVAILABLE' } });
  bench.simulator.reset();
  const id = events[0]?.interaction?.id ?? '';
  expect((await bench.stored('getInteraction', id, { principal })).error).toMatchObject({ code: 'not_found' });
});

test('an error of the vendor has its words', async () => {
  const { status, text } = await speak(bodyOf({ future_member: 1 }));
  expect([status, JSON.parse(text).error]).toMatchObject([
    400,
    { status: 'INVALID_ARGUMENT', message: expect.stringContaining('future_member') },
  ]);
});

test('what only Google has is refused by its name for other models', async () => {
  const { status, text } = await speak(bodyOf({ model: 'shared', tools: [{ type: 'google_search' }] }));
  expect([status, JSON.parse(text).error.message]).toEqual([
    400,
    expect.stringMatching(/^tools\[0\]\.type: google_search/),
  ]);
});

const tools = [{ type: 'function', name: 'weather', parameters: { type: 'object', properties: {} } }];
const resultsOf = (steps: readonly VendorStep[]) =>
  steps
    .filter(({ type }) => type === 'function_call')
    .map(({ id, name }) => ({ type: 'function_result', call_id: id, name, result: `${name} is known` }));

describe('a conversation with thinking and calls', () => {
  test('goes on in the vendor’s form, with its signatures and without ids of ours', async () => {
    const first = interactionIn((await speak(bodyOf({ input: 'Both in parallel', tools }))).text);
    expect(first.status).toBe('requires_action');
    const input = resultsOf(first.steps);
    const second = await speak(bodyOf({ input, tools, previous_interaction_id: first.id }));
    expect(second.headers['x-tallyport-lane']).toBe('native');
    const sent = sentTo();
    expect(sent).not.toHaveProperty('previous_interaction_id');
    expect(sent.input).toEqual([
      { type: 'user_input', content: [{ type: 'text', text: 'Both in parallel' }] },
      ...first.steps,
      ...input,
    ]);
    expect(JSON.parse(second.text)).toMatchObject({ previous_interaction_id: first.id, status: 'completed' });
  });

  test('that another vendor’s model began is translated for Google, with its thinking unread', async () => {
    const first = interactionIn((await speak(bodyOf({ model: 'shared', input: 'Hello [reasoning]', tools }))).text);
    expect(first.steps.map(({ type }) => type)).toContain('function_call');
    const input = resultsOf(first.steps);
    const second = await speak(bodyOf({ input, tools, previous_interaction_id: first.id }));
    expect([second.status, second.headers['x-tallyport-lane']]).toEqual([200, undefined]);
    expect(received().at(-1)?.path).toContain(':generateContent');
  });
});

test('an answer that the vendor stopped goes on where it stopped, without what was said of it', async () => {
  const first = interactionIn((await speak(bodyOf({ input: 'One' }))).text);
  const resumed = { input: undefined, continuation_token: 'token', previous_interaction_id: first.id };
  await speak(bodyOf(resumed));
  const sent = received().at(-1);
  expect(JSON.parse(sent?.body ?? '')).toMatchObject({
    continuation_token: 'token',
    input: [{ type: 'user_input', content: [{ type: 'text', text: 'One' }] }],
  });
  expect((await speak(bodyOf({ ...resumed, model: 'shared' }))).text).toContain('continuation_token');
});

test('an Idempotency-Key belongs to one request', async () => {
  const headers = { 'idempotency-key': 'once' };
  const first = await speak(bodyOf(), { headers });
  const again = await speak(bodyOf(), { headers });
  expect([again.headers['x-tallyport-idempotency'], again.text]).toEqual(['replayed', first.text]);
  expect(received()).toHaveLength(1);
  expect((await speak(bodyOf({ input: 'Other' }), { headers })).status).toBe(409);
});
