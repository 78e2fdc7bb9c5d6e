import OpenAI, { toFile } from 'openai';
import { describe, expect, test } from 'vitest';
import type { Rig } from './rig.ts';

/** Tests the transcriptions of the OpenAI SDK against every vendor that has some, through the whole gateway. */
export function transcriptionsSuite(rig: () => Rig): void {
  const audioOf = (apiKey = rig().gateway.apiKey) =>
    new OpenAI({ baseURL: `${rig().gateway.baseUrl}/v1`, apiKey, maxRetries: 0 }).audio;
  const file = () => toFile(Buffer.alloc(16_000, 7), 'speech.mp3', { type: 'audio/mpeg' });
  const text = 'A simulated transcript of 16000 bytes.';

  describe.each([
    'openai/whisper-1',
    'openai/gpt-4o-transcribe',
    'azure/gpt-4o-transcribe',
    // The catalogue lists none of these.
    'groq/whisper-large-v3',
    'together/openai/whisper-large-v3',
  ])('%s', (model) => {
    test('writes audio down, as JSON and as text', async () => {
      expect(await audioOf().transcriptions.create({ model, file: await file() })).toMatchObject({ text });
      const plain = await audioOf().transcriptions.create({ model, file: await file(), response_format: 'text' });
      expect(plain).toBe(`${text}\n`);
    });
  });

  test('writes subtitles and times with Whisper', async () => {
    const model = 'openai/whisper-1';
    const srt = await audioOf().transcriptions.create({ model, file: await file(), response_format: 'srt' });
    expect(srt).toContain('00:00:00,000 --> 00:00:02,000');
    const verbose = await audioOf().transcriptions.create({
      model,
      file: await file(),
      response_format: 'verbose_json',
      timestamp_granularities: ['word', 'segment'],
    });
    expect(verbose).toMatchObject({ duration: 2, text });
  });

  test('streams', async () => {
    const model = 'openai/gpt-4o-transcribe';
    const events = [];
    for await (const event of await audioOf().transcriptions.create({ model, file: await file(), stream: true }))
      events.push(event);
    expect(events.flatMap((event) => (event.type === 'transcript.text.delta' ? event.delta : [])).join('')).toBe(text);
    expect(events.at(-1)).toMatchObject({ type: 'transcript.text.done', text, usage: { type: 'tokens' } });
  });

  test('translates with Whisper', async () => {
    expect(await audioOf().translations.create({ model: 'openai/whisper-1', file: await file() })).toMatchObject({
      text,
    });
  });

  test('raises errors', async () => {
    const base = { model: 'openai/whisper-1', file: await file() };
    const failures = [
      audioOf('sk-tp-none').transcriptions.create(base),
      audioOf().transcriptions.create({ ...base, model: 'gpt-6-luna' }),
      audioOf().transcriptions.create({ ...base, stream: true }),
      audioOf().transcriptions.create({ ...base, model: 'openai/gpt-4o-transcribe', response_format: 'srt' }),
      audioOf().translations.create({ ...base, model: 'openai/gpt-4o-transcribe' }),
    ];
    const errors = await Promise.all(failures.map((failure) => failure.catch((error: unknown) => error)));
    const unsupported = (param: string) => ({ status: 400, code: 'unsupported_capability', param });
    expect(errors).toMatchObject([
      { status: 401, code: 'invalid_api_key' },
      unsupported('model'),
      unsupported('stream'),
      unsupported('response_format'),
      unsupported('model'),
    ]);
    expect(rig().simulator.requests.filter(({ path }) => path.includes('/audio/'))).toEqual([]);
  });
}
