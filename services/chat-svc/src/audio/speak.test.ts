import { offerOf } from '@tallyport/contracts/testing';
import { sandboxProviders } from '@tallyport/simulator';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { type ChatBench, sharedModelEntry, startChatBench } from '../testing/chat-bench.ts';

const principal = { accountId: 'acc_1', keyId: 'key_1' };
const model = 'sandbox-speech';
const offers = (pricing: Record<string, string>) =>
  sandboxProviders.map(({ id }) => offerOf(id, { modelName: model, pricing }));
const speaker = sharedModelEntry({
  id: model,
  aliases: [],
  outputModalities: ['speech'],
  offers: offers({ character: '0.001' }),
});
const byToken = { ...speaker, id: 'by-token', offers: offers({ prompt: '0.001', audio_output: '0.01' }) };

let bench: ChatBench;
beforeAll(async () => {
  bench = await startChatBench({
    catalogue: { version: '1', models: [speaker, byToken, sharedModelEntry()] },
    environment: { CACHE_TTL_SECONDS: '60' },
  });
});
afterEach(() => bench.simulator.reset());
afterAll(() => bench.close());

const request = { model, input: 'one two', voice: 'alloy', response_format: 'pcm' };
/** The records of requests with this id; they arrive after the response. */
const recordsOf = (id: string) => bench.usage.filter(({ requestId }) => requestId === id);
/** Bytes of PCM for a word in the sandbox. */
const wordBytes = 4_800;

async function bytesOf(body: object, requestId = 'req_test') {
  const { head, body: stream } = await bench.openSpeech(body, { principal, requestId });
  return { headers: head.headers, bytes: Buffer.from(await stream.bytes()) };
}

test('passes the audio through, and records its characters', async () => {
  const { headers, bytes } = await bytesOf(request, 'req_1');
  const provider = headers['x-tallyport-provider'];
  expect([bytes.length, headers['content-type'], headers['content-length']]).toEqual([
    2 * wordBytes,
    'audio/pcm',
    undefined,
  ]);
  expect(headers).toMatchObject({ 'x-tallyport-model': `${provider}/${model}`, 'x-tallyport-attempts': '1' });
  await expect
    .poll(() => recordsOf('req_1'))
    .toMatchObject([
      {
        operation: 'speech',
        model,
        provider,
        characters: 7,
        cost: '0.007',
        costs: { characters: '0.007' },
        source: 'reported',
        endReason: 'done',
      },
    ]);
});

test('has the type of the requested format', async () => {
  const types = [];
  for (const format of [undefined, 'wav'])
    types.push((await bytesOf({ ...request, response_format: format })).headers['content-type']);
  expect(types).toEqual(['audio/mpeg', 'audio/wav']);
});

test('passes events through unchanged, and bills the tokens they report', async () => {
  const { headers, bytes } = await bytesOf({ ...request, model: 'by-token', stream_format: 'sse' }, 'req_2');
  const events = bytes
    .toString()
    .split('\n\n')
    .filter((event) => event !== '')
    .map((event) => JSON.parse(event.replace('data: ', '')));
  expect(headers['content-type']).toMatch(/^text\/event-stream/);
  expect(events.map(({ type }) => type)).toEqual(['speech.audio.delta', 'speech.audio.delta', 'speech.audio.done']);
  await expect
    .poll(() => recordsOf('req_2'))
    .toMatchObject([{ tokens: { input: 2, audioOut: 10 }, cost: '0.102', source: 'reported' }]);
});

test('estimates tokens that the vendor does not report', async () => {
  await bytesOf({ ...request, model: 'by-token' }, 'req_3');
  await expect
    .poll(() => recordsOf('req_3'))
    .toMatchObject([{ tokens: { input: 2, audioOut: 10 }, characters: 7, source: 'estimated' }]);
});

test.each(['status:503', 'status:429', 'error-in-200', 'cut-after-headers', 'reset'])(
  'tries another provider after %s',
  async (fault) => {
    const [failing = ''] = bench.providers;
    bench.simulator.faults.set({ provider: failing, fault });
    for (let count = 0; count < 3; count += 1) {
      const { headers, bytes } = await bytesOf(request);
      expect([bytes.length, headers['x-tallyport-provider'] === failing]).toEqual([2 * wordBytes, false]);
    }
  },
);

test('breaks off when the provider does, so that half a file does not look complete, and bills the text', async () => {
  bench.simulator.faults.set({ fault: 'cut:5000' });
  const { head, body } = await bench.openSpeech(request, { principal, requestId: 'req_4' });
  expect(head.status).toBe(200);
  await expect(body.bytes()).rejects.toMatchObject({ code: 'stream_truncated' });
  await expect
    .poll(() => recordsOf('req_4'))
    .toMatchObject([{ characters: 7, cost: '0.007', endReason: 'upstream_cut', attempts: [{ status: 200 }] }]);
});

test('breaks off events that end before the last one', async () => {
  bench.simulator.faults.set({ fault: 'no-usage' });
  const { body } = await bench.openSpeech({ ...request, stream_format: 'sse' }, { principal });
  await expect(body.bytes()).rejects.toMatchObject({ code: 'stream_truncated' });
});

test('stops the provider when the client leaves, and bills the text', async () => {
  const leaving = new AbortController();
  bench.simulator.faults.set({ fault: 'endless' });
  const { body } = await bench.openSpeech(
    { ...request, stream_format: 'sse' },
    { principal, requestId: 'req_5', signal: leaving.signal },
  );
  for await (const _bytes of body) {
    leaving.abort();
    break;
  }
  await expect.poll(() => recordsOf('req_5')).toMatchObject([{ characters: 7, endReason: 'client_gone' }]);
});

test('returns the first response again for the same Idempotency-Key, and records it once', async () => {
  const options = { principal, requestId: 'req_6', headers: { 'idempotency-key': 'once' } };
  const first = await bench.speak(request, options);
  const second = await bench.speak(request, options);
  expect(second.text).toBe(first.text);
  expect(second.headers['x-tallyport-idempotency']).toBe('replayed');
  await expect.poll(() => recordsOf('req_6').length).toBe(1);
});

test.each(['crlf', 'byte-wise', 'none'])(
  'returns streamed speech unchanged, and again, for an Idempotency-Key, when it is cut like this: %s',
  async (fault) => {
    const body = { ...request, input: `Cut ${fault}`, stream_format: 'sse' };
    const speak = (requestId: string, headers: Record<string, string>) => {
      if (fault !== 'none') bench.simulator.faults.set({ fault, times: 1 });
      return bench.speak(body, { principal, requestId, headers });
    };
    const plain = await speak(`plain-${fault}`, {});
    const first = await speak(`once-${fault}`, { 'idempotency-key': `once-${fault}` });
    const again = await speak(`once-${fault}`, { 'idempotency-key': `once-${fault}`, 'last-event-id': '2' });
    expect(first.text.length).toBeGreaterThan(100);
    expect([first.text, again.text]).toEqual([plain.text, plain.text]);
    expect(again.headers['x-tallyport-idempotency']).toBe('replayed');
    await expect.poll(() => recordsOf(`once-${fault}`).length).toBe(1);
  },
);

test('accepts 4,096 characters', async () => {
  const { bytes } = await bytesOf({ ...request, input: '👋'.repeat(4_096) });
  expect(bytes.length).toBe(wordBytes);
});

test.each([
  [{ input: '' }, 'invalid_parameters', 'input'],
  [{ input: 'x'.repeat(4_097) }, 'invalid_parameters', 'input'],
  [{ voice: undefined }, 'invalid_parameters', 'voice'],
  [{ voice: {} }, 'invalid_parameters', 'voice.id'],
  [{ response_format: 'ogg' }, 'invalid_parameters', 'response_format'],
  [{ response_format: 'opus' }, 'unsupported_capability', 'response_format'],
  [{ speed: 0.2 }, 'invalid_parameters', 'speed'],
  [{ speed: 4.1 }, 'invalid_parameters', 'speed'],
  [{ stream_format: 'ndjson' }, 'invalid_parameters', 'stream_format'],
  [{ model: 'sandbox-chat' }, 'unsupported_capability', 'model'],
])('refuses %o', async (changes, code, param) => {
  const { error } = await bench.speak({ ...request, ...changes }, { principal });
  expect(error).toMatchObject({ status: 400, code, param });
  expect(bench.simulator.requests).toEqual([]);
});

test('counts characters, durations and refusals', async () => {
  await bench.speak({ ...request, input: '' }, { principal });
  await expect.poll(() => bench.metrics()).toMatch(/gateway_audio_refused_total\{.*invalid_parameters.*\} \d/);
  const metrics = await bench.metrics();
  expect(metrics).toMatch(/gateway_speech_characters_total\{.*model="sandbox-speech".*\} \d/);
  expect(metrics).toMatch(/gateway_request_duration_seconds_count\{operation="speech"/);
});

test('of an account that keeps content, the text is kept, and of the speech type and size', async () => {
  await bench.speak(request, { principal: { ...principal, contentLog: { maxBytes: 4_096 } } });
  await expect
    .poll(() => bench.contents.map(({ content }) => content))
    .toEqual([
      {
        prompt: { parts: [{ kind: 'text', text: 'one two' }], cut: false },
        answer: { parts: [{ kind: 'file', mediaType: 'audio/pcm', bytes: 2 * wordBytes }], cut: false },
      },
    ]);
});
