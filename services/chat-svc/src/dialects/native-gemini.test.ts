import { geminiErrors } from '@tallyport/contracts';
import { catalogueOf, modelOf, offerOf } from '@tallyport/contracts/testing';
import { sandboxProviders, sharedModel, type Simulator } from '@tallyport/simulator';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { type AskOptions, type ChatBench, type ClientAnswer, startChatBench } from '../testing/chat-bench.ts';

const gemini = 'gemini-3-flash-preview';
const [fallback = ''] = sandboxProviders.map(({ id }) => id);
const offers = [offerOf('google', { modelName: gemini }), offerOf(fallback, { modelName: sharedModel, priority: 0 })];

let bench: ChatBench;
beforeAll(async () => {
  bench = await startChatBench({
    catalogue: catalogueOf(modelOf(gemini, offers)),
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
const bodyOf = (members: object = {}) => ({
  contents: [{ role: 'user', parts: [{ text: 'Think about [cached]' }] }],
  generation_config: { thinkingConfig: { includeThoughts: true, thinking_level: 'HIGH' } },
  ...members,
});

type Form = 'whole' | 'events' | 'array';
const forms: readonly Form[] = ['whole', 'events', 'array'];

/** As edge answers. */
async function speak(form: Form, body: unknown, ask: AskOptions = {}): Promise<ClientAnswer> {
  const path = `google/${gemini}:${form === 'whole' ? 'generateContent' : 'streamGenerateContent'}`;
  const query = form === 'events' ? 'alt=sse' : '';
  const answer = await bench.inApi('generateContent', body, { principal, path, query, ...ask });
  if (answer.error === undefined) return answer;
  const refused = geminiErrors.error(answer.error, 'req_test');
  return { ...answer, status: refused.status, text: JSON.stringify(refused.body) };
}

/** The simulator answers one body always alike, in one form. */
async function vendorsOwn(form: Form, body: string): Promise<string> {
  const verb = form === 'whole' ? 'generateContent' : 'streamGenerateContent?alt=sse';
  const answer = await fetch(`${bench.simulator.baseUrl('google')}/v1beta/models/${gemini}:${verb}`, {
    method: 'POST',
    headers: { 'x-goog-api-key': 'k' },
    body,
  });
  return answer.text();
}

const isOf = (form: Form, text: string): unknown[] => {
  if (form !== 'events') return [JSON.parse(text)].flat();
  return [...text.matchAll(/^data: (.*?)\r?$/gm)].map(([, data = '']) => JSON.parse(data));
};

describe.each(forms)('%s', (form) => {
  test('body and answer pass unchanged, apart from the name of the model', async () => {
    const json = JSON.stringify(bodyOf({ tools: [{ google_search: {} }], safetySettings: [] })).replace('{', '{ ');
    const { status, text, headers } = await speak(form, Buffer.from(json));
    const [request] = received();
    expect([status, request?.body]).toEqual([200, json]);
    expect(request?.headers).toMatchObject({ 'x-goog-api-key': 'key-of-the-gateway' });
    const own = isOf(form === 'whole' ? 'whole' : 'events', await vendorsOwn(form, json));
    const named = own.map((piece) => ({ ...(piece as object), modelVersion: `google/${gemini}` }));
    expect(isOf(form, text)).toEqual(named);
    expect(headers).toMatchObject({ 'x-tallyport-lane': 'native', 'x-tallyport-provider': 'google' });
  });

  test('the ledger has the usage of the vendor', async () => {
    const { text } = await speak(form, bodyOf());
    const [{ usageMetadata: usage }] = isOf(form, text).slice(-1) as [{ usageMetadata: Record<string, number> }];
    const { promptTokenCount = 0, cachedContentTokenCount: cacheRead = 0, candidatesTokenCount = 0 } = usage;
    const tokens = { input: promptTokenCount - cacheRead, cacheRead, reasoning: usage.thoughtsTokenCount };
    await expect.poll(() => bench.usage).toMatchObject([{ provider: 'google', tokens }]);
    expect([cacheRead, candidatesTokenCount, usage.thoughtsTokenCount].every((count) => (count ?? 0) > 0)).toBe(true);
  });

  test('another provider gets the translation if the vendor fails', async () => {
    bench.simulator.faults.set({ provider: 'google', fault: 'status:503' });
    const path = `${gemini}:${form === 'whole' ? 'generateContent' : 'streamGenerateContent'}`;
    const { text, headers } = await speak(form, bodyOf(), { path });
    expect(headers).toMatchObject({ 'x-tallyport-provider': fallback, 'x-tallyport-attempts': '2' });
    expect(headers['x-tallyport-lane']).toBeUndefined();
    expect(isOf(form, text)[0]).toMatchObject({ modelVersion: gemini });
  });
});

test.each(['events', 'array'] as const)('a stream that breaks ends with an error: %s', async (form) => {
  bench.simulator.faults.set({ provider: 'google', fault: 'cut:3000' });
  const { text, headers } = await speak(form, bodyOf());
  const pieces = isOf(form, text);
  expect(headers['x-tallyport-lane']).toBe('native');
  expect(pieces.length).toBeGreaterThan(1);
  expect(pieces.at(-1)).toMatchObject({ error: { status: 'UNAVAILABLE' } });
});

test('an error of the vendor has its words', async () => {
  const { status, text } = await speak('whole', bodyOf({ futureMember: 1 }));
  expect([status, JSON.parse(text).error]).toMatchObject([
    400,
    { status: 'INVALID_ARGUMENT', message: expect.stringContaining('futureMember') },
  ]);
});

test('an Idempotency-Key belongs to one method of one model', async () => {
  const headers = { 'idempotency-key': 'once' };
  const first = await speak('whole', bodyOf(), { headers });
  const again = await speak('whole', bodyOf(), { headers });
  expect([again.headers['x-tallyport-idempotency'], again.text]).toEqual(['replayed', first.text]);
  expect(received()).toHaveLength(1);
  expect((await speak('array', bodyOf(), { headers })).status).toBe(409);
});
