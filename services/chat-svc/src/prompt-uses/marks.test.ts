import { catalogueOf, modelOf, offerOf } from '@tallyport/contracts/testing';
import type { Simulator } from '@tallyport/simulator';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { type ChatBench, startChatBench } from '../testing/chat-bench.ts';
import { speakMessages } from '../testing/messages-client.ts';

const pricing = {
  prompt: '0.000005',
  completion: '0.000025',
  input_cache_read: '0.0000005',
  input_cache_write: '0.00000625',
};
const names: Readonly<Record<string, string>> = {
  anthropic: 'claude-opus-4-8',
  'aws-bedrock': 'us.anthropic.claude-opus-4-8',
  'google-vertex': 'claude-opus-4-8@default',
  openrouter: 'anthropic/claude-opus-4.8',
};
const vendors = Object.keys(names);
const awsCredentials = { accessKeyId: 'AKIDEXAMPLE', secretAccessKey: 'wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY' };

let bench: ChatBench;
beforeAll(async () => {
  bench = await startChatBench({
    catalogue: catalogueOf(
      ...vendors.map((id) => modelOf(`at ${id}`, [offerOf(id, { modelName: names[id] ?? '', pricing })])),
      modelOf('at openai', [offerOf('openai', { modelName: 'gpt-6-luna', pricing })]),
      modelOf('without prices', [offerOf('anthropic', { modelName: 'claude-opus-4-8' })]),
    ),
    awsCredentials,
    environment: ({ baseUrl }: Simulator) => ({
      ANTHROPIC_API_KEY: 'key',
      ANTHROPIC_BASE_URL: baseUrl('anthropic'),
      AWS_ACCESS_KEY_ID: awsCredentials.accessKeyId,
      AWS_SECRET_ACCESS_KEY: awsCredentials.secretAccessKey,
      AWS_BEDROCK_BASE_URL: baseUrl('aws-bedrock'),
      GOOGLE_VERTEX_API_KEY: 'key',
      GOOGLE_VERTEX_BASE_URL: baseUrl('google-vertex'),
      GOOGLE_VERTEX_PROJECT: 'our-project',
      OPENAI_API_KEY: 'key',
      OPENAI_BASE_URL: baseUrl('openai'),
      OPENROUTER_API_KEY: 'key',
      OPENROUTER_BASE_URL: baseUrl('openrouter'),
    }),
  });
});
afterEach(() => bench.simulator.reset());
afterAll(() => bench.close());

const principal = (promptCaching: 'off' | 'auto') => ({ accountId: 'account', keyId: 'key', promptCaching });
const long = 'Rules of the house. '.repeat(300);

/** The body that the vendor got. */
async function sent(body: object, { caching = 'auto' as 'off' | 'auto', native = false } = {}): Promise<string> {
  const options = { principal: principal(caching) };
  const { status, text } = native ? await speakMessages(bench, body, options) : await bench.ask(body, options);
  expect({ status, text: status === 200 ? '' : text }).toEqual({ status: 200, text: '' });
  return bench.simulator.requests.at(-1)?.body.toString() ?? '';
}

/** The paths of marks in a body. */
function marksIn(json: string): string[] {
  const found: string[] = [];
  const visit = (value: unknown, path: string): void => {
    if (typeof value !== 'object' || value === null) return;
    for (const [name, member] of Object.entries(value)) {
      if (name === 'cache_control' || name === 'cachePoint') found.push(path);
      else visit(member, path === '' ? name : `${path}.${name}`);
    }
  };
  visit(JSON.parse(json), '');
  return found;
}

/** A body without marks, and with one text in place of a list of one. */
function unmarked(json: string): unknown {
  return JSON.parse(json, (_name, value: unknown) => {
    if (Array.isArray(value)) {
      const kept = value.filter((each) => !(typeof each === 'object' && each !== null && 'cachePoint' in each));
      const [only] = kept;
      return kept.length === 1 && only?.type === 'text' ? only.text : kept;
    }
    if (typeof value !== 'object' || value === null) return value;
    const { cache_control: _mark, ...rest } = value as Record<string, unknown>;
    return rest;
  });
}

const turn = (said: string) => [
  { role: 'user', content: said },
  { role: 'assistant', content: `Yes: ${said}` },
];
const function_ = { name: 'weather', description: long, parameters: { type: 'object', properties: {} } };
const chatOf = (vendor: string, turns: number, members: object = {}) => ({
  model: `at ${vendor}`,
  max_tokens: 100,
  messages: [
    { role: 'system', content: `${vendor}. ${long}` },
    ...['One', 'Two', 'Three'].slice(0, turns - 1).flatMap(turn),
    { role: 'user', content: 'And?' },
  ],
  ...members,
});
const messagesOf = (vendor: string, turns: number, members: object = {}) => {
  const { messages, ...rest } = chatOf(vendor, turns);
  return { ...rest, system: messages[0]?.content, messages: messages.slice(1), ...members };
};

/** Where marks of chats with one, two and three turns are, and with tools. */
const chatMarks: Readonly<Record<string, readonly string[][]>> = {
  anthropic: [
    [],
    ['messages.0.content.0', 'messages.2.content.0', 'system.0'],
    ['messages.2.content.0', 'messages.4.content.0', 'system.0'],
    ['messages.0.content.0', 'system.0', 'tools.0'],
  ],
  'aws-bedrock': [
    [],
    ['messages.0.content.1', 'messages.2.content.1', 'system.1'],
    ['messages.2.content.1', 'messages.4.content.1', 'system.1'],
    ['messages.0.content.1', 'system.1', 'toolConfig.tools.1'],
  ],
  openrouter: [
    [],
    ['messages.0.content.0', 'messages.1.content.0', 'messages.3.content.0'],
    ['messages.0.content.0', 'messages.3.content.0', 'messages.5.content.0'],
    ['messages.0.content.0', 'messages.1.content.0', 'tools.0'],
  ],
};

describe.each([false, true])('streamed: %s', (stream) => {
  test.each(vendors)('the growing history of a chat is marked at %s, and the prompt stays the same', async (vendor) => {
    const own = `${vendor} ${stream}`;
    const chats = [1, 2, 3].map((turns) => chatOf(own, turns, { model: `at ${vendor}`, stream }));
    const withTools = { ...chats[0], tools: [{ type: 'function', function: function_ }] };
    for (const [index, chat] of [...chats, withTools].entries()) {
      const marked = await sent(chat);
      expect(marksIn(marked).toSorted()).toEqual((chatMarks[vendor] ?? chatMarks['anthropic'])?.[index]);
      expect(unmarked(marked)).toEqual(unmarked(await sent(chat, { caching: 'off' })));
    }
  });

  test.each(vendors.slice(0, 3))('so is that of Messages at %s, where every other byte stays', async (vendor) => {
    const chat = messagesOf(vendor, 3, { stream, tools: [{ name: 'weather', input_schema: { type: 'object' } }] });
    const plain = await sent(chat, { caching: 'off', native: true });
    const marked = await sent(chat, { native: true });
    expect(marksIn(marked).toSorted()).toEqual(['messages.2.content.0', 'messages.4.content.0', 'system.0']);
    expect(
      marked.replaceAll(/\[\{"type":"text","text":("[^"]*"),"cache_control":\{"type":"ephemeral"\}\}\]/g, '$1'),
    ).toBe(plain);
  });
});

test.each(vendors)('a client’s own marks arrive unchanged at %s', async (vendor) => {
  const own = { type: 'text', text: long, cache_control: { type: 'ephemeral', ttl: '1h' } };
  const chat = chatOf(vendor, 3);
  const marked = { ...chat, messages: [{ role: 'system', content: [own] }, ...chat.messages.slice(1)] };
  expect(await sent(marked)).toBe(await sent(marked, { caching: 'off' }));
  if (vendor === 'openrouter') return;
  const messages = messagesOf(vendor, 3, { system: [own] });
  expect(await sent(messages, { native: true })).toBe(await sent(messages, { native: true, caching: 'off' }));
});

test('long instructions are marked at OpenAI, whose newer models cache prompts by themselves', async () => {
  const chat = chatOf('openai', 1, { model: 'at openai' });
  const body = JSON.parse(await sent(chat));
  expect(body.messages).toEqual([
    {
      role: 'system',
      content: [{ type: 'text', text: chat.messages[0]?.content, prompt_cache_breakpoint: { mode: 'explicit' } }],
    },
    chat.messages[1],
  ]);
});

test('of a first question, the instructions are marked if another one began with them', async () => {
  const chat = chatOf('first', 1, { model: 'at anthropic' });
  expect(marksIn(await sent(chat))).toEqual([]);
  const another = { ...chat, messages: [...chat.messages.slice(0, 1), { role: 'user', content: 'Another' }] };
  expect(marksIn(await sent(another))).toEqual(['system.0']);
});

test('a short prompt, and one without prices for caches, are not marked', async () => {
  const short = { model: 'at anthropic', messages: [{ role: 'user', content: 'Hello' }], max_tokens: 10 };
  const chat = { ...chatOf('anthropic', 3), model: 'without prices' };
  for (const body of [short, chat]) expect(await sent(body)).toBe(await sent(body, { caching: 'off' }));
});
