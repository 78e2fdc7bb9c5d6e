import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { generateText, isStepCount, jsonSchema, Output, streamText, tool } from 'ai';
import { describe, expect, test } from 'vitest';
import { type Ability, can } from './families.ts';
import { type Place, pixel, weatherSchema } from './rig.ts';

interface Weather {
  city: string;
  days: number;
}

/** Tests the Vercel AI SDK, with its provider for OpenAI-compatible servers, against one family. */
export function aiSdkSuite({ family, rig }: Place): void {
  const able = (...abilities: Ability[]): boolean => can(family, ...abilities);
  const model = () => {
    const { baseUrl, apiKey } = rig().gateway;
    const provider = createOpenAICompatible({
      name: 'tallyport',
      baseURL: `${baseUrl}/v1`,
      apiKey,
      includeUsage: true,
      supportsStructuredOutputs: true,
    });
    return provider(family.name);
  };
  const settings = () => ({ model: model(), maxRetries: 0 });
  const weather = tool({
    description: 'Returns the weather.',
    inputSchema: jsonSchema<Weather>(weatherSchema),
    execute: async ({ days }) => `Rain for ${days} days.`,
  });

  describe('the Vercel AI SDK', () => {
    test('returns text, plain and streamed', async () => {
      const whole = await generateText({ ...settings(), prompt: 'Hello' });
      expect(whole.text).toContain(`simulated answer from ${family.provider}`);
      expect(whole.finishReason).toBe('stop');
      const stream = streamText({ ...settings(), prompt: 'Hello' });
      let text = '';
      for await (const piece of stream.textStream) text += piece;
      expect(text).toBe(whole.text);
      expect(await stream.finishReason).toBe('stop');
      expect((await stream.usage).totalTokens).toBe(whole.usage.totalTokens);
    });

    test.runIf(able('tools', 'tool results'))('calls tools until the answer is complete', async () => {
      const options = { prompt: 'Weather?', tools: { weather }, stopWhen: isStepCount(3) };
      const whole = await generateText({ ...settings(), ...options });
      expect(whole.steps).toHaveLength(2);
      expect(whole.text).toMatch(/Rain for \d+ days/);
      const stream = streamText({ ...settings(), ...options });
      await stream.consumeStream();
      expect(await stream.text).toMatch(/Rain for \d+ days/);
    });

    test.runIf(able('schema'))('returns an object that follows a schema', async () => {
      const output = Output.object({ schema: jsonSchema<Weather>(weatherSchema) });
      const whole = await generateText({ ...settings(), prompt: 'Weather?', output });
      expect(whole.output).toEqual({ city: expect.any(String), days: expect.any(Number) });
      const stream = streamText({ ...settings(), prompt: 'Weather?', output });
      await stream.consumeStream();
      expect(await stream.output).toEqual(whole.output);
    });

    test.runIf(able('images'))('accepts an image', async () => {
      const image = { type: 'file' as const, data: Buffer.from(pixel, 'base64'), mediaType: 'image/png' };
      const content = [{ type: 'text' as const, text: 'What is it?' }, image];
      const { text } = await generateText({ ...settings(), messages: [{ role: 'user', content }] });
      expect(text).toContain('What is it?');
    });
  });
}
