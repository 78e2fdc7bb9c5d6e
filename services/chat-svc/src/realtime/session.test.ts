import type { Model, Principal, UsageRecord } from '@tallyport/contracts';
import { offerOf } from '@tallyport/contracts/testing';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type ChatBench, sharedModelEntry, startChatBench } from '../testing/chat-bench.ts';
import { asks, audio, connectRealtime, says, transcribesWith } from '../testing/realtime-client.ts';

const pricing = {
  prompt: '0.001',
  input_cache_read: '0.0001',
  completion: '0.004',
  audio_input: '0.01',
  audio_cache_read: '0.0005',
  audio_output: '0.02',
};

const modelOf = (id: string, modality: string, offers: Model['offers']): Model =>
  sharedModelEntry({ id, aliases: [], outputModalities: [modality], offers });

const models = [
  modelOf('gpt-realtime', 'realtime', [offerOf('openai', { modelName: 'gpt-realtime', pricing, maxOutput: 100 })]),
  modelOf('refused-first', 'realtime', [
    offerOf('openai', { modelName: 'gpt-realtime-refused', pricing, priority: 1 }),
    offerOf('azure', { modelName: 'gpt-realtime', pricing: { ...pricing, audio_output: '0.03' }, priority: 0.1 }),
  ]),
  modelOf('unpriced', 'realtime', [offerOf('openai', { modelName: 'gpt-realtime', pricing: { prompt: '0.001' } })]),
  modelOf('whisper-1', 'transcriptions', [offerOf('openai', { modelName: 'whisper-1', pricing: { minute: '0.06' } })]),
  modelOf('gpt-4o-transcribe', 'transcriptions', [
    offerOf('openai', {
      modelName: 'gpt-4o-transcribe',
      pricing: { prompt: '0.001', audio_input: '0.002', completion: '0.003' },
    }),
  ]),
];

let bench: ChatBench;
beforeEach(async () => {
  bench = await startChatBench({
    catalogue: { version: '1', models },
    environment: ({ url }) => ({
      OPENAI_API_KEY: 'sk-test',
      OPENAI_BASE_URL: `${url}/v1`,
      AZURE_API_KEY: 'key',
      AZURE_BASE_URL: `${url}/azure/openai/v1`,
    }),
  });
});
afterEach(() => bench.close());

const principal: Principal = { accountId: 'acc', keyId: 'key' } as Principal;
const withBudget = (amount: string): Principal =>
  ({ ...principal, budgets: { key: { amount, period: 'total' } } }) as never;

const billed = () => bench.simulator.realtime.sessions.flatMap((session) => session.billed);
const records = (operation: UsageRecord['operation'] = 'realtime') =>
  bench.usage.filter((record) => record.operation === operation);

/** By the prices above, as a vendor computes its invoice. */
function invoiced(): string {
  let nano = 0;
  for (const { input_token_details: read, output_token_details: written } of billed()) {
    const { text_tokens: cachedText, audio_tokens: cachedAudio } = read.cached_tokens_details;
    nano += (read.text_tokens - cachedText) * 1_000_000 + cachedText * 100_000;
    nano += (read.audio_tokens - cachedAudio) * 10_000_000 + cachedAudio * 500_000;
    nano += written.text_tokens * 4_000_000 + written.audio_tokens * 20_000_000;
  }
  return (nano / 1e9).toFixed(9);
}

const recorded = () =>
  records()
    .reduce((sum, { cost }) => sum + Number(cost), 0)
    .toFixed(9);

describe('money', () => {
  test('of several turns, of text and of speech, is what the vendor invoices, with a record for each', async () => {
    const client = await connectRealtime(bench, { principal, requestId: 'req_session' });
    expect(await client.next()).toMatchObject({ type: 'session.created' });
    client.send({ type: 'session.update', session: { type: 'realtime', instructions: 'Be brief.' } });
    for (const text of ['Hello', 'And then?', 'Thanks']) {
      client.send(says(text));
      client.send(asks);
      await client.until('response.done');
    }
    for (let turn = 0; turn < 2; turn += 1) {
      client.send(audio(400));
      client.send(audio(100, 'silence'));
      await client.until('response.done');
    }
    await expect.poll(() => records().length).toBe(5);
    expect(recorded()).toBe(invoiced());
    expect(Number(recorded())).toBeGreaterThan(0);
    expect(records().map(({ requestId, provider, endReason }) => [requestId, provider, endReason])).toEqual(
      Array.from({ length: 5 }, () => ['req_session', 'openai', 'done']),
    );
    expect(records().at(-1)?.tokens).toMatchObject({ audioCacheRead: expect.any(Number), audioOut: 2 });
    expect(new Set(records().map(({ id }) => id)).size).toBe(5);
  });

  test('of a response that is reported twice is paid once', async () => {
    const client = await connectRealtime(bench, { principal });
    client.send(says('[twice]'));
    client.send(asks);
    await client.until('response.done');
    await client.until('response.done');
    client.send(says('again'));
    client.send(asks);
    await client.until('response.done');
    client.sendMessage({ kind: 'close', code: 1000, reason: '' });
    await client.closed();
    await expect.poll(() => records().length).toBe(2);
    expect(recorded()).toBe(invoiced());
  });

  test('of a response that nothing was held for is paid with the next message of the client', async () => {
    const client = await connectRealtime(bench, { principal });
    client.send(says('[burst:2]'));
    client.send(asks);
    for (let begun = 0; begun < 2; begun += 1) await client.until('response.created');
    client.send({ type: 'response.cancel', response_id: 'resp_2' });
    await client.until('response.done');
    expect(records()).toEqual([]);
    client.send(says('And then?'));
    await expect.poll(() => records().length).toBe(1);
    expect(recorded()).toBe(invoiced());
  });

  test('of events in a wrong order is paid once', async () => {
    const client = await connectRealtime(bench, { principal });
    client.send(transcribesWith('whisper-1'));
    client.send(says('[disorder]'));
    client.send(asks);
    await client.until('response.created');
    client.send(audio(400));
    client.send({ type: 'input_audio_buffer.commit' });
    await client.until('input_audio_buffer.committed');
    client.send(asks);
    await client.until('response.done');
    client.sendMessage({ kind: 'close', code: 1000, reason: '' });
    await client.closed();
    await expect.poll(() => records().length).toBe(2);
    expect(recorded()).toBe(invoiced());
    expect(records('transcription').map(({ cost }) => cost)).toEqual(['0.003']);
  });

  test('of a response that runs while its client disconnects is settled by what the vendor reports', async () => {
    const client = await connectRealtime(bench, { principal });
    client.send(says('[hold]'));
    client.send(asks);
    await client.until('response.output_audio.delta');
    client.leave();
    await expect.poll(() => records().length).toBe(1);
    expect(billed()).toHaveLength(1);
    expect(recorded()).toBe(invoiced());
  });

  test('of a response that was asked for and has not begun is awaited when its client disconnects', async () => {
    const client = await connectRealtime(bench, { principal });
    client.send(says('[slow]'));
    client.send(asks);
    await expect.poll(() => bench.simulator.realtime.sessions[0]?.received).toContain('response.create');
    client.leave();
    await expect.poll(() => records().length).toBe(1);
    expect(records()[0]).toMatchObject({ endReason: 'done' });
    expect(recorded()).toBe(invoiced());
  });

  test('of a transcript that is late is awaited when its client disconnects, and paid once', async () => {
    const client = await connectRealtime(bench, { principal });
    client.send(transcribesWith('whisper-1'));
    client.send(says('[late]'));
    client.send(audio(400));
    client.send({ type: 'input_audio_buffer.commit' });
    await expect.poll(() => bench.simulator.realtime.sessions[0]?.received).toContain('input_audio_buffer.commit');
    client.leave();
    await expect.poll(() => records('transcription').length).toBe(1);
    expect(records('transcription')[0]).toMatchObject({ model: 'whisper-1', cost: '0.003' });
  });

  test('of a late transcript is that of the model that its audio was committed for', async () => {
    const client = await connectRealtime(bench, { principal });
    client.send(transcribesWith('whisper-1'));
    client.send(says('[late]'));
    client.send(audio(400));
    client.send({ type: 'input_audio_buffer.commit' });
    client.send(transcribesWith('gpt-4o-transcribe'));
    await client.until('conversation.item.input_audio_transcription.completed');
    await expect.poll(() => records('transcription').length).toBe(1);
    expect(records('transcription')[0]).toMatchObject({ model: 'whisper-1', cost: '0.003' });
  });

  test('of transcriptions is that of their model, by tokens or by the minute', async () => {
    const client = await connectRealtime(bench, { principal });
    for (const model of ['gpt-4o-transcribe', 'whisper-1']) {
      client.send(transcribesWith(model));
      client.send(audio(400));
      client.send(audio(100, 'silence'));
      await client.until('response.done');
    }
    await expect.poll(() => records('transcription').length).toBe(2);
    expect(records('transcription').map(({ model, cost, requestId }) => [model, cost, requestId])).toEqual([
      ['gpt-4o-transcribe', '0.017', 'req_test'],
      ['whisper-1', '0.003', 'req_test'],
    ]);
  });

  test('of a vendor that is gone within a response is recorded as a failure', async () => {
    const client = await connectRealtime(bench, { principal });
    client.send(says('[cut]'));
    client.send(asks);
    const events = [await client.next(), ...(await client.until('error'))];
    expect(events.at(-1)).toMatchObject({ error: { code: 'stream_truncated' } });
    expect(await client.closed()).toMatchObject({ code: 1011 });
    await expect.poll(() => records().length).toBe(1);
    expect(records()[0]).toMatchObject({ cost: '0', source: 'none', endReason: 'error', error: 'stream_truncated' });
  });
});

describe('a budget', () => {
  test('that ends closes the session with an event, before more is spent', async () => {
    const client = await connectRealtime(bench, { principal: withBudget('5') });
    let error;
    for (let turn = 0; turn < 40 && error === undefined; turn += 1) {
      client.send(says('Hello'));
      client.send(asks);
      const events = [];
      for (;;) {
        const event = await client.next();
        events.push(event);
        if (!('type' in event) || event.type === 'response.done' || event.type === 'error') break;
      }
      error = events.find((event) => 'type' in event && event.type === 'error');
    }
    expect(error).toMatchObject({ type: 'error', error: { code: 'budget_exceeded' } });
    expect(await client.closed()).toMatchObject({ code: 1008 });
    expect(recorded()).toBe(invoiced());
    expect(Number(recorded())).toBeLessThanOrEqual(5);
    const other = connectRealtime(bench, { principal: withBudget('0.000001') });
    await expect(other).rejects.toMatchObject({ code: 'budget_exceeded' });
  });
});

describe('a session', () => {
  test('is opened at another offer if the first one refuses, and its record says so', async () => {
    const client = await connectRealtime(bench, {
      principal,
      model: 'refused-first',
      headers: { 'openai-beta': 'realtime=v1' },
    });
    client.send(says('Hello'));
    client.send(asks);
    await client.until('response.done');
    await expect.poll(() => records().length).toBe(1);
    expect(records()[0]?.attempts.map(({ provider, error }) => [provider, error])).toEqual([
      ['openai', 'provider_auth_failed'],
      ['azure', 'none'],
    ]);
    expect(bench.simulator.realtime.sessions[0]?.headers).toMatchObject({
      'openai-beta': 'realtime=v1',
      'api-key': 'key',
    });
  });

  test('has up to 8 responses that were asked for and have not begun', async () => {
    const client = await connectRealtime(bench, { principal });
    client.send(says('[mute]'));
    await client.until('conversation.item.done');
    for (let asked = 0; asked < 9; asked += 1) client.send(asks);
    expect(await client.next()).toMatchObject({ type: 'error', error: { code: 'rate_limit_exceeded' } });
    const asked = () => bench.simulator.realtime.sessions[0]?.received.filter((type) => type === 'response.create');
    await expect.poll(() => asked()?.length).toBe(8);
  });

  test('has up to 16 running responses', async () => {
    const client = await connectRealtime(bench, { principal });
    client.send(says('[burst:16]'));
    client.send(asks);
    for (let count = 0; count < 16; count += 1) await client.until('response.created');
    client.sendMessage({ kind: 'close', code: 1000, reason: '' });
    expect(await client.closed()).toMatchObject({ code: 1000 });
    // Those for which nothing was held are added to one record.
    await expect.poll(() => records().length).toBe(2);
    expect([billed().length, recorded()]).toEqual([16, invoiced()]);
  });

  test('is ended with an error if more responses are begun, and what ran is paid', async () => {
    const client = await connectRealtime(bench, { principal });
    client.send(says('[burst:17]'));
    client.send(asks);
    expect((await client.until('error')).at(-1)).toMatchObject({ error: { code: 'upstream_error' } });
    expect(await client.closed()).toMatchObject({ code: 1011 });
    // Those for which nothing was held are added to one record.
    await expect.poll(() => records().length).toBe(2);
    expect([billed().length, recorded()]).toEqual([16, invoiced()]);
  });

  test('has messages of the vendor of up to 16 MiB', async () => {
    const most = 16 * 1024 * 1024;
    const client = await connectRealtime(bench, { principal });
    client.send(says(`[large:${most}]`));
    client.send(asks);
    const events = await client.until('response.done');
    expect(events.map((event) => JSON.stringify(event).length)).toContain(most);
    client.send(says(`[large:${most + 1}]`));
    client.send(asks);
    expect((await client.until('error')).at(-1)).toMatchObject({ error: { code: 'upstream_error' } });
    expect(await client.closed()).toMatchObject({ code: 1011 });
    await expect.poll(() => records().map(({ endReason }) => endReason)).toEqual(['done', 'error']);
  });

  test('of a key with guardrails is refused', async () => {
    const guarded = { ...principal, guardrails: [{ request: { detect: { email: 'redact' } } }] } as Principal;
    await expect(connectRealtime(bench, { principal: guarded })).rejects.toMatchObject({ code: 'permission_denied' });
  });

  test('has messages passed on unchanged', async () => {
    const client = await connectRealtime(bench, { principal });
    const session = { type: 'realtime', instructions: 'Be brief.', x_unknown: [1, { a: null }] };
    client.send({ session, event_id: 'e1', type: 'session.update' });
    expect((await client.until('session.updated')).at(-1)).toMatchObject({ session });
  });

  test('may be named by its client as in the address, though the vendor has another name', async () => {
    const client = await connectRealtime(bench, { principal, model: 'refused-first' });
    for (const model of ['refused-first', 'gpt-realtime']) {
      client.send({ type: 'session.update', event_id: 'e1', session: { model, instructions: 'Be brief.' } });
      const [updated] = (await client.until('session.updated')).slice(-1);
      expect(updated).toMatchObject({ session: { instructions: 'Be brief.' } });
      expect(updated?.session).not.toHaveProperty('model');
    }
  });

  test.each([
    ['without a model', { query: '' }, 'invalid_parameters'],
    ['of an unknown model', { model: 'nothing' }, 'model_not_found'],
    ['of a model without prices', { model: 'unpriced' }, 'unsupported_capability'],
    ['of a model that does not speak', { model: 'whisper-1' }, 'unsupported_capability'],
  ])('%s is refused, with a record', async (_, options, code) => {
    await expect(connectRealtime(bench, { principal, ...options })).rejects.toMatchObject({ code });
    await expect.poll(() => records().map(({ error }) => error)).toEqual([code]);
    expect(bench.simulator.realtime.sessions).toEqual([]);
  });

  test.each([
    ['is no JSON', 'Hello', 'invalid_parameters'],
    ['has no type', '{"a":1}', 'invalid_parameters'],
    ['has a session that is no JSON', '{"type":"session.update","session":[:]}', 'invalid_parameters'],
    [
      'hides a transcriber behind what is no JSON',
      '{"type":"session.update","session":{"audio":{"input":{"transcription":{"model":"whisper-1"}}},"a":NaN}}',
      'invalid_parameters',
    ],
    ['names its type twice', '{"type":"response.cancel","type":"response.create"}', 'invalid_parameters'],
    ['has an unknown type', '{"type":"response.steer"}', 'invalid_parameters'],
    ['has a stored prompt', '{"type":"response.create","response":{"prompt":{"id":"p"}}}', 'invalid_parameters'],
    [
      'names a limit twice in a session',
      '{"type":"session.update","session":{"max_output_tokens":1,"max_output_tokens":"inf"}}',
      'invalid_parameters',
    ],
    [
      'names a transcriber twice',
      '{"type":"session.update","session":{"audio":{"input":{"transcription":{"model":"a","model":"whisper-1"}}}}}',
      'invalid_parameters',
    ],
    [
      'names a limit twice in a response',
      '{"type":"response.create","response":{"max_output_tokens":4000,"max_output_tokens":1}}',
      'invalid_parameters',
    ],
    [
      'asks for a transcription session',
      '{"type":"session.update","session":{"type":"transcription"}}',
      'invalid_parameters',
    ],
    ['names another model', '{"type":"session.update","session":{"model":"gpt-realtime-2"}}', 'invalid_parameters'],
    [
      'has a transcriber without a name',
      '{"type":"session.update","session":{"audio":{"input":{"transcription":{"language":"en"}}}}}',
      'invalid_parameters',
    ],
    [
      'has two transcribers',
      '{"type":"session.update","session":{"input_audio_transcription":null,"audio":{"input":{"transcription":null}}}}',
      'invalid_parameters',
    ],
    [
      'has an unknown transcriber',
      '{"type":"session.update","session":{"audio":{"input":{"transcription":{"model":"x"}}}}}',
      'model_not_found',
    ],
    ['is too deep', `{"type":"session.update","session":${'['.repeat(300)}${']'.repeat(300)}}`, 'invalid_parameters'],
  ])('answers a message that %s with an error and goes on', async (_, text, code) => {
    const client = await connectRealtime(bench, { principal });
    await client.until('session.created');
    client.sendMessage({ kind: 'text', bytes: Buffer.from(text) });
    expect(await client.next()).toMatchObject({ type: 'error', event_id: expect.any(String), error: { code } });
    expect(bench.simulator.realtime.sessions[0]?.received).toEqual([]);
    client.send(asks);
    await client.until('response.done');
  });

  test('survives a vendor that sends without end to a client that does not read', async () => {
    const client = await connectRealtime(bench, { principal });
    client.send(says('[flood]'));
    client.send(asks);
    const unread = () => bench.simulator.realtime.sessions[0]?.socket.bufferedAmount ?? 0;
    await expect.poll(unread).toBeGreaterThan(64 * 1024);
    client.leave();
    await expect.poll(() => records().length).toBe(1);
  });
});
