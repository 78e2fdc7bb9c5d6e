import OpenAI from 'openai';
import { describe, expect, test } from 'vitest';
import type { Rig } from './rig.ts';

/** Tests the speech of the OpenAI SDK against every vendor that has some, through the whole gateway. */
export function speechSuite(rig: () => Rig): void {
  const speech = (apiKey = rig().gateway.apiKey) =>
    new OpenAI({ baseURL: `${rig().gateway.baseUrl}/v1`, apiKey, maxRetries: 0 }).audio.speech;
  const bytesOf = async (answer: Response) => Buffer.from(await answer.arrayBuffer());

  describe.each([
    'openai/tts-1',
    'openai/gpt-4o-mini-tts',
    'azure/tts-1-hd',
    // The catalogue lists none of these.
    'groq/playai-tts',
    'together/hexgrad/Kokoro-82M',
  ])('%s', (model) => {
    test('returns MP3 by default, and WAV', async () => {
      const mp3 = await speech().create({ model, voice: 'alloy', input: 'Hello there' });
      expect([mp3.headers.get('content-type'), (await bytesOf(mp3)).subarray(0, 2).toString('hex')]).toEqual([
        'audio/mpeg',
        'fffb',
      ]);
      const wav = await speech().create({ model, voice: 'alloy', input: 'Hello there', response_format: 'wav' });
      expect([wav.headers.get('content-type'), (await bytesOf(wav)).toString('latin1', 0, 4)]).toEqual([
        'audio/wav',
        'RIFF',
      ]);
    });
  });

  test('sends speech before the vendor has finished it', async () => {
    const model = 'openai/gpt-4o-mini-tts';
    rig().simulator.faults.set({ fault: 'heartbeat-only' });
    const { body } = await speech().create({ model, voice: 'alloy', input: 'Hello', response_format: 'pcm' });
    const reader = body?.getReader();
    expect((await reader?.read())?.value?.length).toBeGreaterThan(0);
    await reader?.cancel();
  });

  test('raises errors', async () => {
    const model = 'openai/tts-1';
    const base = { model, voice: 'alloy', input: 'Hello' };
    const failures = [
      speech('sk-tp-none').create(base),
      speech().create({ ...base, model: 'gpt-6-luna' }),
      speech().create({ ...base, instructions: 'Softly' }),
      speech().create({ ...base, stream_format: 'sse' }),
      speech().create({ ...base, input: '' }),
      speech().create({ ...base, model: 'groq/playai-tts', response_format: 'opus' }),
    ];
    const errors = await Promise.all(failures.map((failure) => failure.catch((error: unknown) => error)));
    const unsupported = (param: string) => ({ status: 400, code: 'unsupported_capability', param });
    expect(errors).toMatchObject([
      { status: 401, code: 'invalid_api_key' },
      unsupported('model'),
      unsupported('instructions'),
      unsupported('stream_format'),
      { status: 400, code: 'invalid_parameters', param: 'input' },
      unsupported('response_format'),
    ]);
    expect(rig().simulator.requests.filter(({ path }) => path.endsWith('/speech'))).toEqual([]);
  });
}
