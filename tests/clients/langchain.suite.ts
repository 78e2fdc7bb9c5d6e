import { HumanMessage, ToolMessage } from '@langchain/core/messages';
import { tool } from '@langchain/core/tools';
import { ChatOpenAI } from '@langchain/openai';
import { describe, expect, test } from 'vitest';
import { type Ability, can } from './families.ts';
import { type Place, pixelUrl, weatherSchema } from './rig.ts';

/** Tests LangChain's OpenAI client against one family. */
export function langChainSuite({ family, rig }: Place): void {
  const able = (...abilities: Ability[]): boolean => can(family, ...abilities);
  const client = () => {
    const { baseUrl, apiKey } = rig().gateway;
    return new ChatOpenAI({
      model: family.name,
      apiKey,
      maxRetries: 0,
      streamUsage: true,
      useResponsesApi: false,
      configuration: { baseURL: `${baseUrl}/v1` },
    });
  };
  const weather = tool(async () => 'Rain in every city.', {
    name: 'weather',
    description: 'Returns the weather.',
    schema: weatherSchema,
  });

  describe('LangChain', () => {
    test('returns text, plain and streamed', async () => {
      const whole = await client().invoke('Hello');
      expect(whole.text).toContain(`simulated answer from ${family.provider}`);
      let text = '';
      for await (const chunk of await client().stream('Hello')) text += chunk.text;
      expect(text).toBe(whole.text);
    });

    test.runIf(able('tools', 'tool results'))('calls a tool and uses its result', async () => {
      const withTools = client().bindTools([weather]);
      const question = new HumanMessage('Weather?');
      const first = await withTools.invoke([question]);
      const [call] = first.tool_calls ?? [];
      expect(call).toMatchObject({ name: 'weather', args: { city: expect.any(String), days: expect.any(Number) } });
      const result = new ToolMessage({ content: 'Rain in every city.', tool_call_id: call?.id ?? '' });
      expect((await withTools.invoke([question, first, result])).text).toContain('Rain in every city.');
    });

    test.runIf(able('schema'))('returns an object that follows a schema', async () => {
      const structured = client().withStructuredOutput(weatherSchema, { method: 'jsonSchema', name: 'weather' });
      expect(await structured.invoke('Weather?')).toEqual({ city: expect.any(String), days: expect.any(Number) });
    });

    test.runIf(able('images'))('accepts an image', async () => {
      const content = [
        { type: 'text' as const, text: 'What is it?' },
        { type: 'image_url' as const, image_url: { url: pixelUrl } },
      ];
      expect((await client().invoke([new HumanMessage({ content })])).text).toContain('What is it?');
    });
  });
}
