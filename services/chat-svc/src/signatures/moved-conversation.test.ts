import { catalogueOf, modelOf, offerOf } from '@tallyport/contracts/testing';
import type { Simulator } from '@tallyport/simulator';
import type { ChatMessage } from '@tallyport/wire';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type ChatBench, startChatBench } from '../testing/chat-bench.ts';

/** Vendors that refuse, while they think, a conversation in which a call lacks its thinking. */
const models = ['deepseek-v4-flash', 'kimi-k2.6'];

let bench: ChatBench;
beforeAll(async () => {
  bench = await startChatBench({
    catalogue: catalogueOf(
      modelOf('gpt-4.1', [offerOf('openai', { modelName: 'gpt-4.1' })]),
      modelOf('deepseek-v4-flash', [offerOf('deepseek', { modelName: 'deepseek-v4-flash', reasoning: true })]),
      modelOf('kimi-k2.6', [offerOf('moonshot', { modelName: 'kimi-k2.6', reasoning: true })]),
    ),
    environment: ({ baseUrl }: Simulator) =>
      Object.fromEntries(
        ['openai', 'deepseek', 'moonshot'].flatMap((vendor) => [
          [`${vendor.toUpperCase()}_API_KEY`, 'key'],
          [`${vendor.toUpperCase()}_BASE_URL`, baseUrl(vendor)],
        ]),
      ),
  });
});
afterAll(() => bench.close());

const principal = { accountId: 'account', keyId: 'key' };
const tools = [{ type: 'function', function: { name: 'weather', parameters: { type: 'object', properties: {} } } }];

async function answerOf(model: string, messages: readonly ChatMessage[]): Promise<ChatMessage> {
  const { text } = await bench.ask({ model, messages, tools }, { principal });
  return JSON.parse(text).choices[0].message;
}

/** A question whose calls are answered. The client keeps only OpenAI's members. */
async function asked(model: string, before: readonly ChatMessage[]): Promise<ChatMessage[]> {
  const question: ChatMessage = { role: 'user', content: 'Weather?' };
  const answer = await answerOf(model, [...before, question]);
  const calls = answer.role === 'assistant' ? (answer.tool_calls ?? []) : [];
  expect(calls.length).toBeGreaterThan(0);
  const results = calls.map(({ id }): ChatMessage => ({ role: 'tool', tool_call_id: id, content: 'Rain.' }));
  return [...before, question, { role: 'assistant', content: null, tool_calls: calls }, ...results];
}

test.each(models)('%s thinks in a conversation that another vendor began, and after its own calls', async (model) => {
  const begun = await asked('gpt-4.1', []);
  expect(await answerOf(model, begun)).toMatchObject({ reasoning_content: expect.stringMatching(/./) });
  const moved = await asked(model, [...begun, { role: 'assistant', content: 'Rain.' }]);
  const last = await answerOf(model, moved);
  expect(last).toMatchObject({ reasoning_content: expect.stringMatching(/./) });
  const { messages, thinking } = JSON.parse(bench.simulator.requests.at(-1)?.body ?? '');
  const callers = messages.filter((message: { tool_calls?: object }) => message.tool_calls !== undefined);
  const texts = callers.map(({ reasoning_content: text }: { reasoning_content: string }) => text);
  expect([thinking, texts.length, texts[1]]).toEqual([undefined, 2, expect.stringMatching(/The user asks/)]);
  expect(bench.simulator.requests.filter(({ status = 0 }) => status >= 400)).toEqual([]);
});
