import type { Model, Principal } from '@tallyport/contracts';
import { offerOf } from '@tallyport/contracts/testing';
import type { SocketMessage } from '@tallyport/wire';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type ChatBench, sharedModelEntry, startChatBench } from '../../testing/chat-bench.ts';
import { connectLive, hears, writes } from '../../testing/live-client.ts';
import { connectRealtime } from '../../testing/realtime-client.ts';

const pricing = {
  prompt: '0.00075',
  completion: '0.0045',
  audio_input: '0.003',
  audio_output: '0.012',
  image_input: '0.001',
};

const modelOf = (id: string, offers: Model['offers']): Model =>
  sharedModelEntry({ id, aliases: [], outputModalities: ['realtime'], offers });

const google = (modelName: string, more: object = {}) => offerOf('google', { modelName, pricing, ...more });

const models = [
  modelOf('gemini-live', [google('gemini-3.8-live', { maxOutput: 100 })]),
  modelOf('refused-first', [
    google('gemini-live-refused', { priority: 1 }),
    google('gemini-3.8-live', { priority: 0.1 }),
  ]),
  modelOf('refused', [google('gemini-live-refused')]),
  modelOf('never-ready', [google('gemini-live-mute')]),
  modelOf('unpriced', [offerOf('google', { modelName: 'gemini-3.8-live', pricing: { prompt: '0.001' } })]),
  modelOf('gpt-realtime', [offerOf('openai', { modelName: 'gpt-realtime', pricing })]),
];

let bench: ChatBench;
beforeEach(async () => {
  bench = await startChatBench({
    catalogue: { version: '1', models },
    environment: ({ url }) => ({
      GEMINI_API_KEY: 'key',
      GEMINI_BASE_URL: `${url}/google`,
      OPENAI_API_KEY: 'sk-test',
      OPENAI_BASE_URL: `${url}/v1`,
      UPSTREAM_FIRST_BYTE_TIMEOUT_MS: '1000',
    }),
  });
});
afterEach(() => bench.close());

const principal: Principal = { accountId: 'acc', keyId: 'key' } as Principal;
const withBudget = (amount: string): Principal =>
  ({ ...principal, budgets: { key: { amount, period: 'total' } } }) as never;

const sessions = () => bench.simulator.realtime.liveSessions;
const billed = () => sessions().flatMap((session) => session.billed);
const records = () => bench.usage.filter(({ operation }) => operation === 'realtime');

/** By the prices above, as the vendor computes its invoice: what has no modality is text, and thinking is billed as written text. */
function invoiced(): string {
  let nano = 0;
  for (const usage of billed()) {
    const of = (details: typeof usage.promptTokensDetails, modality: string) =>
      details.find((each) => each.modality === modality)?.tokenCount ?? 0;
    const [audioIn, images] = [of(usage.promptTokensDetails, 'AUDIO'), of(usage.promptTokensDetails, 'IMAGE')];
    const audioOut = of(usage.responseTokensDetails, 'AUDIO');
    nano += (usage.promptTokenCount - audioIn - images) * 750_000 + audioIn * 3_000_000 + images * 1_000_000;
    nano += (usage.responseTokenCount - audioOut + usage.thoughtsTokenCount) * 4_500_000 + audioOut * 12_000_000;
  }
  return (nano / 1e9).toFixed(9);
}

const recorded = () =>
  records()
    .reduce((sum, { cost }) => sum + Number(cost), 0)
    .toFixed(9);

describe('money', () => {
  test('of text, speech and images is what the vendor invoices, with a record for each generation', async () => {
    const client = await connectLive(bench, {
      principal,
      requestId: 'req_live',
      setup: { systemInstruction: { parts: [{ text: 'Be brief.' }] }, sessionResumption: {} },
    });
    expect(await client.until('setupComplete')).toEqual([{ setupComplete: {} }]);
    client.send(writes('Hello'));
    await client.until('sessionResumptionUpdate');
    client.send({ realtimeInput: { video: { mimeType: 'image/jpeg', data: 'AAAA' } } });
    client.send({ realtimeInput: { text: 'What is this?' } });
    await client.until('sessionResumptionUpdate');
    client.send(hears(400));
    client.send(hears(100, 'silence'));
    await client.until('sessionResumptionUpdate');
    await expect.poll(() => records().length).toBe(3);
    expect(recorded()).toBe(invoiced());
    expect(records().map(({ requestId, provider, endReason }) => [requestId, provider, endReason])).toEqual(
      Array.from({ length: 3 }, () => ['req_live', 'google', 'done']),
    );
    expect(records().at(-1)?.tokens).toMatchObject({
      imageIn: 258,
      audioIn: 33,
      audioOut: 10,
      reasoning: 3,
      output: 5,
    });
    expect(new Set(records().map(({ id }) => id)).size).toBe(3);
    expect([...client.kinds]).toEqual(['binary']);
  });

  test('of a call of a function, and of the answer behind its result, is paid once each', async () => {
    const client = await connectLive(bench, {
      principal,
      setup: { tools: [{ functionDeclarations: [{ name: 'weather' }] }] },
    });
    client.send(writes('[tool]'));
    const [call] = (await client.until('toolCall')).slice(-1);
    expect(call).toMatchObject({ toolCall: { functionCalls: [{ id: 'call_1', name: 'weather' }] } });
    client.send({
      toolResponse: { functionResponses: [{ id: 'call_1', name: 'weather', response: { sky: 'grey' } }] },
    });
    await client.until('turnComplete');
    await expect.poll(() => records().length).toBe(2);
    expect(recorded()).toBe(invoiced());
  });

  test('of a bill in a message of its own, before the last audio, is paid once', async () => {
    const client = await connectLive(bench, { principal });
    for (const text of ['[apart]', 'And then?']) {
      client.send(writes(text));
      await client.until('turnComplete');
    }
    client.leave();
    await expect.poll(() => records().length).toBe(2);
    expect(recorded()).toBe(invoiced());
    expect(records().map(({ endReason }) => endReason)).toEqual(['done', 'done']);
  });

  test('of an answer that speech interrupts is what the vendor bills', async () => {
    const client = await connectLive(bench, { principal });
    client.send(writes('[hold]'));
    await client.until('modelTurn');
    client.send(hears(100));
    await client.until('interrupted');
    client.send(hears(100, 'silence'));
    await client.until('generationComplete');
    await expect.poll(() => records().length).toBe(2);
    expect(recorded()).toBe(invoiced());
  });

  test('of an answer that runs while its client disconnects is settled by what the vendor reports', async () => {
    const client = await connectLive(bench, { principal });
    client.send(writes('[hold]'));
    await client.until('modelTurn');
    client.leave();
    await expect.poll(() => records().length).toBe(1);
    expect(billed()).toHaveLength(1);
    expect(recorded()).toBe(invoiced());
  });

  test('of a vendor that is gone within an answer is recorded as a failure', async () => {
    const client = await connectLive(bench, { principal });
    client.send(writes('[cut]'));
    expect(await client.closed()).toMatchObject({ code: 1011 });
    await expect.poll(() => records().length).toBe(1);
    expect(records()[0]).toMatchObject({ cost: '0', source: 'none', endReason: 'error', error: 'stream_truncated' });
  });
});

describe('a budget', () => {
  test('that ends closes the session with a reason, before more is spent', async () => {
    const client = await connectLive(bench, { principal: withBudget('5') });
    async function spend(): Promise<void> {
      for (let turn = 0; turn < 200; turn += 1) {
        client.send(writes('Hello'));
        await client.until('turnComplete');
      }
    }
    await expect(spend()).rejects.toThrow(/^closed before turnComplete: 1008 .*budget/i);
    await expect.poll(recorded).toBe(invoiced());
    expect(Number(recorded())).toBeGreaterThan(1);
    expect(Number(recorded())).toBeLessThanOrEqual(5);
    const other = connectLive(bench, { principal: withBudget('0.000001') });
    await expect(other).rejects.toMatchObject({ code: 'budget_exceeded' });
  });
});

describe('a session', () => {
  test('has the name of the vendor, and the setup as it was written', async () => {
    const client = await connectLive(bench, {
      principal,
      setup: { generationConfig: { responseModalities: ['AUDIO'], x_unknown: [1, { a: null }] } },
    });
    await client.until('setupComplete');
    expect(sessions()[0]?.setup).toEqual({
      model: 'models/gemini-3.8-live',
      generationConfig: { responseModalities: ['AUDIO'], x_unknown: [1, { a: null }] },
    });
    expect(sessions()[0]?.headers).toMatchObject({ 'x-goog-api-key': 'key' });
  });

  test('is opened at another offer if the first one refuses, and its record says so', async () => {
    const client = await connectLive(bench, { principal, model: 'refused-first' });
    client.send(writes('Hello'));
    await client.until('turnComplete');
    await expect.poll(() => records().length).toBe(1);
    expect(records()[0]?.attempts.map(({ provider, error }) => [provider, error])).toEqual([
      ['google', 'provider_bad_response'],
      ['google', 'none'],
    ]);
  });

  test.each([true, 'true'])('has up to 8 answers asked for with %j that have not begun', async (turnComplete) => {
    const client = await connectLive(bench, { principal });
    for (let asked = 0; asked < 9; asked += 1) client.send({ clientContent: { ...quiet, turnComplete } });
    expect(await client.closed()).toMatchObject({ code: 1008, reason: expect.stringContaining('8 responses') });
    expect(sessions()[0]?.received.filter((name) => name === 'clientContent')).toHaveLength(8);
  });

  test('passes on that the vendor will end the connection', async () => {
    const client = await connectLive(bench, { principal });
    client.send(writes('[away]'));
    expect((await client.until('goAway')).at(-1)).toEqual({ goAway: { timeLeft: '10s' } });
  });

  test('takes the names of Python clients', async () => {
    const client = await connectLive(bench, { principal });
    client.send({ client_content: { turns: [{ role: 'user', parts: [{ text: 'Hi' }] }], turn_complete: true } });
    await client.until('turnComplete');
    await expect.poll(() => records().length).toBe(1);
  });

  test('of a key with guardrails is refused', async () => {
    const guarded = { ...principal, guardrails: [{ request: { detect: { email: 'redact' } } }] } as Principal;
    await expect(connectLive(bench, { principal: guarded })).rejects.toMatchObject({ code: 'permission_denied' });
  });

  test('survives a vendor that sends without end to a client that does not read', async () => {
    const client = await connectLive(bench, { principal });
    client.send(writes('[flood]'));
    await expect.poll(() => sessions()[0]?.socket.bufferedAmount ?? 0).toBeGreaterThan(64 * 1024);
    client.leave();
    await expect.poll(() => records().length).toBe(1);
  });

  const quiet = writes('[quiet]').clientContent;
  const text = (json: string): SocketMessage => ({ kind: 'text', bytes: Buffer.from(json) });
  const setup = (members: object): SocketMessage =>
    text(JSON.stringify({ setup: { model: 'models/gemini-live', ...members } }));

  test.each<[string, Parameters<typeof connectLive>[1], string]>([
    ['of an unknown model', { model: 'nothing' }, 'model_not_found'],
    ['of a model without prices', { model: 'unpriced' }, 'unsupported_capability'],
    ['of a model with another API', { model: 'gpt-realtime' }, 'unsupported_capability'],
    ['of a model that the vendor does not know', { model: 'refused' }, 'all_providers_failed'],
    ['of a vendor that never completes it', { model: 'never-ready' }, 'upstream_timeout'],
    ['without a model', { first: text('{"setup":{}}') }, 'invalid_parameters'],
    [
      'that begins with another message',
      { first: text('{"clientContent":{"turnComplete":true}}') },
      'invalid_parameters',
    ],
    ['that begins with no JSON', { first: text('Hello') }, 'invalid_parameters'],
    [
      'that begins with a binary message',
      { first: { kind: 'binary', bytes: Buffer.from('{"setup":{}}') } },
      'invalid_json',
    ],
    ['with Google Search', { first: setup({ tools: [{ googleSearch: {} }] }) }, 'unsupported_capability'],
    ['with an avatar', { first: setup({ avatarConfig: {} }) }, 'invalid_parameters'],
    ['with an invalid limit', { first: setup({ generationConfig: { maxOutputTokens: '9' } }) }, 'invalid_parameters'],
    ['that is too large', { first: setup({ systemInstruction: 'x'.repeat(1024 * 1024) }) }, 'invalid_parameters'],
  ])('%s is refused, with a record', async (_, options, code) => {
    await expect(connectLive(bench, { principal, ...options })).rejects.toMatchObject({ code });
    await expect.poll(() => records().map(({ error }) => error)).toEqual([code]);
    expect(billed()).toEqual([]);
  });

  test.each([
    ['is no JSON', 'Hello'],
    ['is a list', '[]'],
    ['has an unknown member', '{"musicGenerationConfig":{}}'],
    ['has two members', '{"clientContent":{},"realtimeInput":{}}'],
    ['names its member twice', '{"clientContent":{},"clientContent":{"turnComplete":true}}'],
    ['names a member within it twice', '{"clientContent":{"turnComplete":false,"turnComplete":true}}'],
    ['is a second setup', '{"setup":{"model":"models/gemini-live"}}'],
    ['adds Google Search', '{"contextUpdate":{"tools":[{"google_search":{}}]}}'],
    ['names a stored file', '{"clientContent":{"turns":[{"parts":[{"fileData":{"fileUri":"files/1"}}]}]}}'],
    ['is too deep', `{"clientContent":${'['.repeat(300)}${']'.repeat(300)}}`],
  ])('ends with a message that %s', async (_, message) => {
    const client = await connectLive(bench, { principal });
    await client.until('setupComplete');
    client.sendBytes(Buffer.from(message));
    expect(await client.closed()).toMatchObject({ code: 1007, reason: expect.stringMatching(/\w/) });
    expect(sessions()[0]?.received).toEqual(['setup']);
  });

  test('ends with the code and the reason of the vendor', async () => {
    const client = await connectLive(bench, { principal });
    client.send(writes('[bad]'));
    expect(await client.closed()).toEqual({
      kind: 'close',
      code: 1007,
      reason: 'Request contains an invalid argument.',
    });
  });

  test('of a model of Google is not opened with the API of OpenAI', async () => {
    await expect(connectRealtime(bench, { principal, model: 'gemini-live' })).rejects.toMatchObject({
      code: 'unsupported_capability',
      message: expect.stringContaining('BidiGenerateContent'),
    });
  });
});
