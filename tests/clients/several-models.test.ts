import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { ChatOpenAI, OpenAIEmbeddings } from '@langchain/openai';
import { embedMany, generateText } from 'ai';
import OpenAI, { toFile } from 'openai';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { pixel, type Rig, startRig } from './rig.ts';

let rig: Rig;
beforeAll(async () => {
  // The models of speech in the catalogue end soon.
  rig = await startRig({ further: () => ({ UNKNOWN_MODELS: 'allow' }) });
});
beforeEach(() => rig.simulator.faults.set({ provider: 'openai', fault: 'status:500', times: 10 }));
afterEach(() => rig.simulator.reset());
afterAll(() => rig.stop());

/** The provider of the first one fails. */
const [model, second] = ['openai/gpt-6-luna', 'anthropic/claude-haiku-4-5'] as const;
const models = [model, second];
const place = () => ({ baseURL: `${rig.gateway.baseUrl}/v1`, apiKey: rig.gateway.apiKey });
const answer = expect.stringContaining('simulated answer from anthropic');

test("OpenAI's SDK names several models", async () => {
  const client = new OpenAI({ ...place(), maxRetries: 0 });
  const body = { model, models, messages: [{ role: 'user' as const, content: 'Hello' }] };
  const whole = await client.chat.completions.create(body);
  expect([whole.model, whole.choices[0]?.message.content]).toEqual([second, answer]);
  let text = '';
  for await (const chunk of await client.chat.completions.create({ ...body, stream: true }))
    text += chunk.choices[0]?.delta.content ?? '';
  expect(text).toEqual(answer);
  const input = { model, models, input: 'Hello' };
  const response = await client.responses.create(input);
  expect([response.model, response.output_text]).toEqual([second, answer]);
});

test('the AI SDK names several models', async () => {
  const provider = createOpenAICompatible({ name: 'tallyport', ...place() });
  const settings = { model: provider(model), maxRetries: 0, providerOptions: { tallyport: { models } } };
  expect((await generateText({ ...settings, prompt: 'Hello' })).text).toEqual(answer);
});

test('LangChain names several models', async () => {
  const { baseURL, apiKey } = place();
  const settings = { model, apiKey, maxRetries: 0, useResponsesApi: false, configuration: { baseURL } };
  const client = new ChatOpenAI({ ...settings, modelKwargs: { models } });
  expect((await client.invoke('Hello')).text).toEqual(answer);
});

describe('other requests than chats', () => {
  const vectors = ['openai/text-embedding-3-small', 'google/gemini-embedding-001'] as const;
  const [, otherVectors] = vectors;
  const client = () => new OpenAI({ ...place(), maxRetries: 0 });

  test("of OpenAI's SDK", async () => {
    const { data, response } = await client()
      .embeddings.create({ ...named(vectors), input: 'Hello', dimensions: 256, encoding_format: 'float' })
      .withResponse();
    expect([data.model, data.data[0]?.embedding.length]).toEqual([otherVectors, 256]);
    expect(response.headers.get('x-tallyport-attempts')).toBe('2');
    const spoken = { ...named(['openai/some-voice', 'groq/playai-tts']), voice: 'alloy', input: 'Hello' };
    expect((await client().audio.speech.create(spoken)).headers.get('x-tallyport-model')).toBe('groq/playai-tts');
    const painted = { ...named(['openai/gpt-image-2', 'google/gemini-3.1-flash-image']), prompt: 'A lamp' };
    const images = await client().images.generate(painted).withResponse();
    expect(images.response.headers.get('x-tallyport-model')).toBe('google/gemini-3.1-flash-image');
  });

  test("of OpenAI's SDK as forms", async () => {
    const file = await toFile(Buffer.alloc(16_000, 7), 'speech.mp3', { type: 'audio/mpeg' });
    const heard = { ...named(['openai/whisper-1', 'azure/gpt-4o-transcribe']), file };
    const transcript = await client().audio.transcriptions.create(heard).withResponse();
    expect(transcript.response.headers.get('x-tallyport-model')).toBe('azure/gpt-4o-transcribe');
    const image = await toFile(Buffer.from(pixel, 'base64'), 'a.png', { type: 'image/png' });
    const edited = { ...named(['openai/gpt-image-2', 'google/gemini-3.1-flash-image']), image, prompt: 'Blue' };
    const edit = await client().images.edit(edited).withResponse();
    expect(edit.response.headers.get('x-tallyport-model')).toBe('google/gemini-3.1-flash-image');
  });

  /** For clients that add no members to embeddings. */
  const headers = { 'X-Fallback-Models': otherVectors };

  test('of the AI SDK', async () => {
    const provider = createOpenAICompatible({ name: 'tallyport', ...place() });
    const { embeddings } = await embedMany({
      model: provider.embeddingModel(vectors[0]),
      values: ['Hello'],
      headers,
      maxRetries: 0,
      providerOptions: { tallyport: { dimensions: 256 } },
    });
    expect([embeddings[0]?.length, answeringProvider()]).toEqual([256, 'google']);
  });

  test('of LangChain', async () => {
    const { baseURL, apiKey } = place();
    const configuration = { baseURL, defaultHeaders: headers };
    const settings = { model: vectors[0], dimensions: 256, apiKey, maxRetries: 0, configuration };
    expect([(await new OpenAIEmbeddings(settings).embedQuery('Hello')).length, answeringProvider()]).toEqual([
      256,
      'google',
    ]);
  });
});

/** A list that the types of SDKs do not know. */
const named = (list: readonly [string, string]) => ({ model: list[0], models: list });

const answeringProvider = () => rig.simulator.requests.at(-1)?.provider;
