import { offerOf } from '@tallyport/contracts/testing';
import OpenAI from 'openai';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type ChatBench, sharedModelEntry, startChatBench } from '../testing/chat-bench.ts';

const principal = { accountId: 'acc_1', keyId: 'key_1' };
const vendorModels = ['gpt-4o-transcribe', 'gpt-4o-transcribe-diarize', 'whisper-1'];

let bench: ChatBench;
let client: OpenAI;
beforeAll(async () => {
  const models = vendorModels.map((id) =>
    sharedModelEntry({
      id,
      aliases: [],
      outputModalities: ['transcriptions'],
      offers: [offerOf('openai', { modelName: id, pricing: { minute: '0.06' } })],
    }),
  );
  bench = await startChatBench({
    catalogue: { version: '1', models },
    environment: ({ baseUrl }) => ({ OPENAI_API_KEY: 'key', OPENAI_BASE_URL: baseUrl('openai') }),
  });
  const fetch: typeof globalThis.fetch = async (url, init) => {
    const form = await new Request(url, init).formData();
    const { status, headers, text, error } = await bench.transcribe(form, { principal });
    const failure = error && JSON.stringify({ error: { param: error.param, message: error.message } });
    return new Response(failure ?? text, { status: error?.status ?? status, headers });
  };
  client = new OpenAI({ apiKey: 'key', baseURL: 'http://gateway.test/v1', maxRetries: 0, fetch });
});
afterAll(() => bench.close());

type Strategy = NonNullable<OpenAI.Audio.TranscriptionCreateParams['chunking_strategy']>;
const transcribe = (model: string, chunking_strategy: Strategy) =>
  client.audio.transcriptions.create({ model, file: new File(['audio'], 'a.mp3'), chunking_strategy });

const voiceDetection: Strategy = {
  type: 'server_vad',
  threshold: 0.6,
  prefix_padding_ms: 200,
  silence_duration_ms: 300,
};
const voiceDetectionParts = {
  'chunking_strategy[type]': 'server_vad',
  'chunking_strategy[threshold]': '0.6',
  'chunking_strategy[prefix_padding_ms]': '200',
  'chunking_strategy[silence_duration_ms]': '300',
};

test.each<[string, Strategy, object]>([
  ['gpt-4o-transcribe', 'auto', { chunking_strategy: 'auto' }],
  ['gpt-4o-transcribe', voiceDetection, voiceDetectionParts],
  ['gpt-4o-transcribe-diarize', voiceDetection, voiceDetectionParts],
])('%s gets the chunking_strategy %o as the SDK sends it', async (model, strategy, expected) => {
  expect(await transcribe(model, strategy)).toMatchObject({ text: 'A simulated transcript of 5 bytes.' });
  const { headers, body } = bench.simulator.requests.at(-1) ?? {};
  const sent = new Response(String(body), { headers: { 'content-type': headers?.['content-type'] ?? '' } });
  const { file: _file, ...fields } = Object.fromEntries(await sent.formData());
  expect(fields).toEqual({ model, response_format: 'json', ...expected });
});

test('a model without chunking_strategy refuses it by name', async () => {
  await expect(transcribe('whisper-1', voiceDetection)).rejects.toMatchObject({
    status: 400,
    param: 'chunking_strategy[type]',
  });
});
