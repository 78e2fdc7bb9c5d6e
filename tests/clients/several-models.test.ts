import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { ChatOpenAI } from '@langchain/openai';
import { generateText } from 'ai';
import OpenAI from 'openai';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { type Rig, startRig } from './rig.ts';

let rig: Rig;
beforeAll(async () => {
  rig = await startRig();
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
