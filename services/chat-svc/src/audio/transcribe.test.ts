import { offerOf } from '@tallyport/contracts/testing';
import { sandboxProviders } from '@tallyport/simulator';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { type ChatBench, sharedModelEntry, startChatBench } from '../testing/chat-bench.ts';

const principal = { accountId: 'acc_1', keyId: 'key_1' };
const model = 'sandbox-transcription';
const writer = sharedModelEntry({
  id: model,
  aliases: [],
  outputModalities: ['transcriptions'],
  offers: sandboxProviders.map(({ id }) => offerOf(id, { modelName: model, pricing: { minute: '0.06' } })),
});

let bench: ChatBench;
beforeAll(async () => {
  bench = await startChatBench({
    catalogue: { version: '1', models: [writer, sharedModelEntry()] },
    environment: { MAX_BODY_BYTES: '100000' },
  });
});
afterEach(() => bench.simulator.reset());
afterAll(() => bench.close());

/** Two seconds at the rate that files without a header count with. */
const audio = (bytes = 16_000) => new File([new Uint8Array(bytes).fill(7)], 'a.mp3', { type: 'audio/mpeg' });
const text = 'A simulated transcript of 16000 bytes.';

function formOf(fields: Readonly<Record<string, string | File | undefined>>): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries({ model, file: audio(), ...fields }))
    if (value !== undefined) form.append(name, value);
  return form;
}

const transcribe = (fields: Parameters<typeof formOf>[0], options: Parameters<ChatBench['transcribe']>[1] = {}) =>
  bench.transcribe(formOf(fields), { principal, ...options });
/** The records of requests with this id; they arrive after the response. */
const recordsOf = (id: string) => bench.usage.filter(({ requestId }) => requestId === id);

test.each([
  ['json', 'application/json; charset=utf-8', { text, usage: { type: 'duration', seconds: 2 } }, 'reported'],
  ['text', 'text/plain; charset=utf-8', `${text}\n`, 'reported'],
  ['srt', 'text/plain; charset=utf-8', `1\n00:00:00,000 --> 00:00:02,000\n${text}\n\n`, 'reported'],
  ['vtt', 'text/plain; charset=utf-8', `WEBVTT\n\n00:00.000 --> 00:02.000\n${text}\n\n`, 'reported'],
])('answers in %s, and records the seconds', async (format, type, expected, source) => {
  const requestId = `req_${format}`;
  const answer = await transcribe({ response_format: format }, { requestId });
  expect([answer.status, answer.headers['content-type']]).toEqual([200, type]);
  expect(typeof expected === 'string' ? answer.text : JSON.parse(answer.text)).toEqual(expected);
  await expect
    .poll(() => recordsOf(requestId))
    .toMatchObject([{ operation: 'transcription', audioSeconds: 2, cost: '0.002', source, endReason: 'done' }]);
});

test('passes every other field on, in order, and the file unchanged', async () => {
  const form = formOf({ language: 'en', response_format: 'verbose_json' });
  form.append('timestamp_granularities[]', 'word');
  form.append('timestamp_granularities[]', 'segment');
  const { text: answer } = await bench.transcribe(form, { principal });
  expect(JSON.parse(answer)).toMatchObject({ task: 'transcribe', duration: 2, text, segments: [{ end: 2 }] });
  const sent = String(bench.simulator.requests.at(-1)?.body);
  expect([...sent.matchAll(/; name="([^"]+)"/g)].map(([, name]) => name)).toEqual([
    'model',
    'response_format',
    'language',
    'timestamp_granularities[]',
    'timestamp_granularities[]',
    'file',
  ]);
  expect(sent).toContain('filename="a.mp3"\r\nContent-Type: audio/mpeg\r\n\r\n\u0007\u0007');
});

test('streams events, unchanged', async () => {
  const { headers, text: events } = await transcribe({ stream: 'true' }, { requestId: 'req_stream' });
  expect(headers['content-type']).toMatch(/^text\/event-stream/);
  expect(events).toMatch(/"transcript.text.delta"[\s\S]*"transcript.text.done"/);
  await expect.poll(() => recordsOf('req_stream')).toMatchObject([{ audioSeconds: 2, source: 'reported' }]);
});

test('translates', async () => {
  const answer = await transcribe({ response_format: 'verbose_json' }, { task: 'translate', requestId: 'req_en' });
  expect(JSON.parse(answer.text)).toMatchObject({ task: 'translate' });
  await expect.poll(() => recordsOf('req_en')).toMatchObject([{ operation: 'translation', audioSeconds: 2 }]);
});

test.each(['status:503', 'cut:20', 'error-in-200', 'reset'])('tries another provider after %s', async (fault) => {
  const [failing = ''] = bench.providers;
  bench.simulator.faults.set({ provider: failing, fault });
  for (let count = 0; count < 3; count += 1) {
    const { status, headers } = await transcribe({});
    expect([status, headers['x-tallyport-provider'] === failing]).toEqual([200, false]);
  }
});

test('returns the first response again for the same Idempotency-Key, although the boundary differs', async () => {
  const options = { requestId: 'req_once', headers: { 'idempotency-key': 'once' } };
  const first = await transcribe({}, options);
  const second = await transcribe({}, options);
  expect([second.text, second.headers['x-tallyport-idempotency']]).toEqual([first.text, 'replayed']);
  await expect.poll(() => recordsOf('req_once').length).toBe(1);
});

test.each([
  [{ file: undefined }, 'invalid_parameters', 'file'],
  [{ file: 'text' }, 'invalid_parameters', 'file'],
  [{ file: audio(0) }, 'invalid_parameters', 'file'],
  [{ model: undefined }, 'invalid_parameters', 'model'],
  [{ response_format: 'xml' }, 'invalid_parameters', 'response_format'],
  [{ response_format: 'diarized_json' }, 'unsupported_capability', 'response_format'],
  [{ stream: 'true', response_format: 'srt' }, 'invalid_parameters', 'response_format'],
  [{ seed: '1' }, 'invalid_parameters', 'seed'],
  [{ 'keywords[]': 'x' }, 'unsupported_capability', 'keywords[]'],
  [{ model: 'sandbox-chat' }, 'unsupported_capability', 'model'],
])('refuses %o', async (fields, code, param) => {
  const { error } = await transcribe(fields);
  expect(error).toMatchObject({ status: 400, code, param });
  expect(bench.simulator.requests).toEqual([]);
});

test('refuses a form that is larger than MAX_BODY_BYTES', async () => {
  const { error } = await transcribe({ file: audio(100_000) });
  expect(error).toMatchObject({ status: 413, code: 'request_too_large' });
  expect((await transcribe({ file: audio(99_000) })).status).toBe(200);
});
