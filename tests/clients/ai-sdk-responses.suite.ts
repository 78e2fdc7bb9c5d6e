import { createOpenAI } from '@ai-sdk/openai';
import { generateText, isStepCount, jsonSchema, type ModelMessage, streamText, tool } from 'ai';
import { describe, expect, test } from 'vitest';
import { can } from './families.ts';
import { type Place, weatherSchema } from './rig.ts';

const weather = tool({
  description: 'Returns the weather.',
  inputSchema: jsonSchema<{ city: string; days: number }>(weatherSchema),
  execute: async ({ days }) => `Rain for ${days} days.`,
});

/** Vendors that sign their reasoning. */
const signing = new Set(['anthropic', 'google']);

/** The SDK, and the types of the items that it sent in each request. */
function started({ family, rig }: Place) {
  const sent: string[][] = [];
  const provider = createOpenAI({
    baseURL: `${rig().gateway.baseUrl}/v1`,
    apiKey: rig().gateway.apiKey,
    fetch: (url, init) => {
      const { input } = JSON.parse(String(init?.body));
      sent.push(input.map((item: { type?: string; role?: string }) => item.type ?? item.role));
      return fetch(url, init);
    },
  });
  return {
    settings: { model: provider(family.name), maxRetries: 0, tools: { weather }, stopWhen: isStepCount(3) },
    sent,
  };
}

/**
 * Tests the Vercel AI SDK against one family, with its provider for OpenAI, which refers to items of stored responses by
 * default.
 */
export function aiSdkResponsesSuite(place: Place): void {
  const { family, rig } = place;

  describe.runIf(can(family, 'tools', 'tool results'))('the Vercel AI SDK with the Responses API', () => {
    const question: ModelMessage = { role: 'user', content: 'Weather?' };
    const next: ModelMessage = { role: 'user', content: 'And tomorrow?' };

    test('calls a tool, uses its result, and goes on with the conversation', async () => {
      const { settings, sent } = started(place);
      const first = await generateText({ ...settings, messages: [question] });
      expect(first.steps).toHaveLength(2);
      expect(first.text).toMatch(/Rain for \d+ days/);
      const second = await generateText({ ...settings, messages: [question, ...first.responseMessages, next] });
      expect(second.finishReason).toBe('stop');
      expect(sent.at(-1)).toContain('item_reference');
      expect(rig().simulator.requests.at(-1)?.body).toContain(first.text);
      const stream = streamText({ ...settings, messages: [question, ...first.responseMessages, next] });
      await stream.consumeStream();
      expect(await stream.text).toBe(second.text);
    });

    test.runIf(signing.has(family.provider))(
      'refers to reasoning, which reaches the vendor with its signature',
      async () => {
        const { settings, sent } = started(place);
        const providerOptions = { openai: { forceReasoning: true, reasoningEffort: 'medium' } };
        const { text } = await generateText({ ...settings, providerOptions, messages: [question] });
        expect(text).toMatch(/Rain for \d+ days/);
        expect(sent.at(-1)).toContain('item_reference');
        expect(rig().simulator.requests.at(-1)?.body).toMatch(/"(?:signature|thoughtSignature)":"\w/);
      },
    );
  });
}
