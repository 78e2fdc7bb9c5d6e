import { catalogueOf, modelOf, offerOf } from '@tallyport/contracts/testing';
import type { Simulator } from '@tallyport/simulator';
import type { ChatMessage } from '@tallyport/wire';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type AskOptions, type ChatBench, startChatBench } from '../testing/chat-bench.ts';

/** Each of these vendors numbers its calls, or signs a text that many answers have. */
const kimi = 'kimi-k2.6';
const gemini = 'gemini-3-flash-preview';

let bench: ChatBench;
beforeAll(async () => {
  bench = await startChatBench({
    catalogue: catalogueOf(
      modelOf(kimi, [offerOf('moonshot', { modelName: kimi, reasoning: true })]),
      modelOf(gemini, [offerOf('google', { modelName: gemini, reasoning: true })]),
    ),
    environment: ({ baseUrl }: Simulator) => ({
      MOONSHOT_API_KEY: 'key',
      MOONSHOT_BASE_URL: baseUrl('moonshot'),
      GEMINI_API_KEY: 'key',
      GEMINI_BASE_URL: baseUrl('google'),
    }),
  });
});
afterAll(() => bench.close());

const ann = { headers: { 'x-end-user': 'ann' }, principal: { accountId: 'account', projectId: 'one', keyId: 'key' } };
const tools = [{ type: 'function', function: { name: 'weather', parameters: { type: 'object', properties: {} } } }];
const instructions = (content: string): ChatMessage => ({ role: 'system', content });
const question: ChatMessage = { role: 'user', content: 'Weather?' };

async function answerTo(body: object, options: AskOptions = ann) {
  const { text } = await bench.ask(body, options);
  return JSON.parse(text).choices[0].message;
}

const sentMessages = () => JSON.parse(bench.simulator.requests.at(-1)?.body ?? '').messages;

/** What a client sends that keeps only OpenAI's members. */
async function goesOn(before: readonly ChatMessage[], options: AskOptions = ann): Promise<unknown> {
  const id = 'functions.weather:0';
  const call = { id, type: 'function' as const, function: { name: 'weather', arguments: '{}' } };
  const called: ChatMessage[] = [
    { role: 'assistant', content: null, tool_calls: [call] },
    { role: 'tool', tool_call_id: id, content: 'Rain.' },
  ];
  await answerTo({ model: kimi, messages: [...before, ...called], tools }, options);
  return sentMessages()[before.length].reasoning_content;
}

test('thinking goes back to its own conversation only, also where ids of calls are numbered', async () => {
  const begun = [instructions('Be brief.'), question];
  const { reasoning_content: thinking, tool_calls: calls } = await answerTo({ model: kimi, messages: begun, tools });
  expect([calls[0].id, typeof thinking]).toEqual(['functions.weather:0', 'string']);
  expect(await goesOn(begun)).toBe(thinking);
  const others: [readonly ChatMessage[], AskOptions?][] = [
    [[instructions('Be long.'), question]],
    [[question]],
    [[instructions('Be brief.'), { role: 'user', content: 'Hi' }, { role: 'assistant', content: 'Hi.' }, question]],
    [begun, { ...ann, headers: { 'x-end-user': 'bob' } }],
    [begun, { ...ann, headers: {} }],
    [begun, { ...ann, principal: { ...ann.principal, projectId: 'two' } }],
  ];
  for (const [messages, options] of others) expect(await goesOn(messages, options)).not.toBe(thinking);
  expect(await goesOn(begun)).toBe(thinking);
});

test('the signature of a text goes back to its own conversation only', async () => {
  const begun: ChatMessage[] = [instructions('Be brief.'), { role: 'user', content: 'Hi' }];
  const { content } = await answerTo({ model: gemini, messages: begun, reasoning_effort: 'high' });
  const signatureSent = async (before: readonly ChatMessage[]) => {
    const messages = [...before, { role: 'assistant', content }, { role: 'user', content: 'And now?' }];
    await answerTo({ model: gemini, messages });
    return /"thoughtSignature":"([^"]+)"/.exec(bench.simulator.requests.at(-1)?.body ?? '')?.[1];
  };
  expect(await signatureSent(begun)).toMatch(/^.{8,}$/);
  expect(await signatureSent([instructions('Be long.'), { role: 'user', content: 'Hi' }])).toBeUndefined();
});
