import OpenAI, { AuthenticationError, AzureOpenAI, toFile } from 'openai';
import { expect, test } from 'vitest';
import { pixel, type Rig } from './rig.ts';

/** Tests the Azure client of the OpenAI SDK: it names the model in the address and sends the key in `api-key`. */
export function azureSuite(rig: () => Rig): void {
  const client = (options: { apiKey?: string; deployment?: string } = {}) =>
    new AzureOpenAI({
      endpoint: rig().gateway.baseUrl,
      apiKey: rig().gateway.apiKey,
      apiVersion: '2025-04-01-preview',
      maxRetries: 0,
      ...options,
    });
  const messages = [{ role: 'user' as const, content: 'Hello' }];
  const model = 'openai/gpt-6-luna';

  test.each(['gpt-6-luna', model, 'anthropic/claude-haiku-4-5'])('chats with the deployment %s', async (deployment) => {
    const { chat } = client({ deployment });
    const answer = await chat.completions.create({ model: 'not this one', messages });
    expect(answer.model).toContain(deployment);
    let streamed = '';
    for await (const chunk of await chat.completions.create({ model: '', messages, stream: true }))
      streamed += chunk.choices[0]?.delta.content ?? '';
    expect(streamed).toBe(answer.choices[0]?.message.content);
  });

  test('takes the model of a request as the deployment', async () => {
    expect((await client().chat.completions.create({ model, messages })).model).toBe(model);
    expect((await client().responses.create({ model, input: 'Hello' })).output_text).toContain('simulated answer');
    const vectors = await client().embeddings.create({ model: 'openai/text-embedding-3-small', input: ['a', 'b'] });
    expect(vectors.data).toHaveLength(2);
  });

  test('speaks, writes audio down and edits images', async () => {
    const { audio } = client();
    const sound = await audio.speech.create({ model: 'openai/tts-1', voice: 'alloy', input: 'Hello' });
    expect(sound.headers.get('content-type')).toBe('audio/mpeg');
    const file = await toFile(Buffer.alloc(16_000, 7), 'speech.mp3', { type: 'audio/mpeg' });
    const { text } = await audio.transcriptions.create({ model: 'openai/whisper-1', file });
    expect(text).toBe('A simulated transcript of 16000 bytes.');
    const image = await toFile(Buffer.from(pixel, 'base64'), 'a.png', { type: 'image/png' });
    const edited = await client({ deployment: 'openai/gpt-image-2' }).images.edit({ image, prompt: 'A fox' });
    expect(edited.data?.[0]?.b64_json).toBeTruthy();
  });

  test('lists models, and refuses a wrong key', async () => {
    expect((await client().models.list()).data.length).toBeGreaterThan(10);
    const refused = client({ apiKey: 'sk-tp-none' }).chat.completions.create({ model, messages });
    expect(await refused.catch((error: unknown) => error)).toBeInstanceOf(AuthenticationError);
  });

  test.each(['/openai/v1', '/v1beta/openai'])('OpenAI’s client works below %s', async (base) => {
    const openai = new OpenAI({
      baseURL: rig().gateway.baseUrl + base,
      apiKey: rig().gateway.apiKey,
      maxRetries: 0,
      defaultHeaders: { 'api-key': rig().gateway.apiKey, authorization: null },
    });
    expect((await openai.chat.completions.create({ model, messages })).model).toBe(model);
    expect((await openai.models.retrieve(model)).id).toBe('gpt-6-luna');
    const { id } = await openai.responses.create({ model, input: 'Hello' });
    expect((await openai.responses.retrieve(id)).id).toBe(id);
  });
}
