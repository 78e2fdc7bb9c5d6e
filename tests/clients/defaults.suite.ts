import { createAnthropic } from '@ai-sdk/anthropic';
import { createOpenAI } from '@ai-sdk/openai';
import { ChatAnthropic } from '@langchain/anthropic';
import { HumanMessage, ToolMessage } from '@langchain/core/messages';
import { tool as langChainTool } from '@langchain/core/tools';
import { ChatOpenAI } from '@langchain/openai';
import { Agent, OpenAIProvider, Runner, tool as agentTool } from '@openai/agents';
import { generateText, isStepCount, jsonSchema, streamText, tool } from 'ai';
import OpenAI from 'openai';
import { describe, expect, test } from 'vitest';
import { type Place, weatherSchema } from './rig.ts';

interface Weather {
  city: string;
  days: number;
}

const description = 'Returns the weather.';
const rain = ({ days }: Weather) => `Rain for ${days} days.`;

/** Tests clients in the modes that they use by default: Responses for models of OpenAI, Messages for Anthropic's. */
export function defaultsSuite({ family: { name: model, provider }, rig }: Place): void {
  const place = () => ({ baseURL: `${rig().gateway.baseUrl}/v1`, apiKey: rig().gateway.apiKey });

  describe.each([
    ['openai(model)', () => createOpenAI(place())(model)],
    ['anthropic(model)', () => createAnthropic(place())(model)],
  ])('the AI SDK with %s', (_name, clientModel) => {
    const settings = () => ({ model: clientModel(), maxRetries: 0, maxOutputTokens: 1_000 });
    const weather = tool({
      description,
      inputSchema: jsonSchema<Weather>(weatherSchema),
      execute: async (input) => rain(input),
    });

    test('returns text, plain and streamed', async () => {
      const whole = await generateText({ ...settings(), prompt: 'Hello' });
      expect(whole.text).toContain(`simulated answer from ${provider}`);
      const stream = streamText({ ...settings(), prompt: 'Hello' });
      expect(await stream.text).toBe(whole.text);
      expect((await stream.usage).totalTokens).toBe(whole.usage.totalTokens);
    });

    test('calls a tool and uses its result', async () => {
      const asked = { prompt: 'Weather?', tools: { weather }, stopWhen: isStepCount(3) };
      const { steps, text } = await generateText({ ...settings(), ...asked });
      expect([steps.length, text]).toEqual([2, expect.stringMatching(/Rain for \d+ days/)]);
    });
  });

  test('the Agents SDK runs an agent with a tool, plain and streamed', async () => {
    const openAIClient = new OpenAI({ ...place(), maxRetries: 0 });
    const runner = new Runner({ modelProvider: new OpenAIProvider({ openAIClient }), tracingDisabled: true });
    const parameters = { ...weatherSchema, required: [...weatherSchema.required] };
    const weather = agentTool({
      name: 'weather',
      description,
      parameters,
      strict: true,
      execute: async (input) => rain(input as Weather),
    });
    const agent = new Agent({ name: 'Forecaster', instructions: 'Be brief.', model, tools: [weather] });
    expect((await runner.run(agent, 'Weather?')).finalOutput).toMatch(/Rain for \d+ days/);
    const streamed = await runner.run(agent, 'Weather?', { stream: true });
    await streamed.completed;
    expect(streamed.finalOutput).toMatch(/Rain for \d+ days/);
  });

  describe.each([
    [
      'ChatOpenAI with Responses',
      () =>
        new ChatOpenAI({
          model,
          apiKey: place().apiKey,
          maxRetries: 0,
          useResponsesApi: true,
          configuration: { baseURL: place().baseURL },
        }),
    ],
    [
      'ChatAnthropic',
      () =>
        new ChatAnthropic({
          model,
          apiKey: place().apiKey,
          maxRetries: 0,
          anthropicApiUrl: rig().gateway.baseUrl,
        }),
    ],
  ])("LangChain's %s", (_name, client) => {
    test('streams text, calls a tool and uses its result', async () => {
      let text = '';
      for await (const chunk of await client().stream('Hello')) text += chunk.text;
      expect(text).toContain(`simulated answer from ${provider}`);
      const weather = langChainTool(async (input) => rain(input as Weather), {
        name: 'weather',
        description,
        schema: weatherSchema,
      });
      const withTools = client().bindTools([weather]);
      const question = new HumanMessage('Weather?');
      const first = await withTools.invoke([question]);
      const [call] = first.tool_calls ?? [];
      expect(call).toMatchObject({ name: 'weather', args: { city: expect.any(String), days: expect.any(Number) } });
      const result = new ToolMessage({ content: 'Rain for 2 days.', tool_call_id: call?.id ?? '' });
      expect((await withTools.invoke([question, first, result])).text).toContain('Rain for 2 days.');
    });
  });
}
