import OpenAI from 'openai';
import { describe, expect, test } from 'vitest';
import type { Place } from './rig.ts';

/** Tests the OpenAI SDK's legacy completions against one family. */
export function completionsSuite({ family, rig }: Place): void {
  const { name: model, provider } = family;
  const completions = () =>
    new OpenAI({ baseURL: `${rig().gateway.baseUrl}/v1`, apiKey: rig().gateway.apiKey, maxRetries: 0 }).completions;
  const streamed = async (prompt: string, max_tokens: number) => {
    const pieces: OpenAI.Completion[] = [];
    const body = { model, prompt, max_tokens, stream: true as const, stream_options: { include_usage: true } };
    for await (const piece of await completions().create(body)) pieces.push(piece);
    const choices = pieces.flatMap((piece) => piece.choices);
    return {
      text: choices.map(({ text }) => text).join(''),
      finish_reason: choices.at(-1)?.finish_reason,
      usage: pieces.at(-1)?.usage,
    };
  };

  describe('legacy completions', () => {
    test('return text, plain and streamed', async () => {
      const plain = await completions().create({ model, prompt: 'Hello', max_tokens: 500 });
      expect(plain).toMatchObject({ object: 'text_completion', model, choices: [{ index: 0, finish_reason: 'stop' }] });
      const text = plain.choices[0]?.text;
      expect(text).toContain(`simulated answer from ${provider}`);
      expect(await streamed('Hello', 500)).toEqual({ text, finish_reason: 'stop', usage: plain.usage });
    });

    test('report a text cut at its token limit', async () => {
      const plain = await completions().create({ model, prompt: '[words:400]', max_tokens: 20 });
      expect(plain.choices[0]?.finish_reason).toBe('length');
      expect(await streamed('[words:400]', 20)).toMatchObject({ finish_reason: 'length' });
    });

    test('refuse several prompts by name', async () => {
      const failure = completions().create({ model, prompt: ['One', 'Two'] });
      await expect(failure).rejects.toMatchObject({ status: 400, code: 'invalid_parameters', param: 'prompt' });
    });
  });
}
