import { isObject, objectsOf, type JsonObject } from '@tallyport/sandbox';
import { ask, dataOf } from '@tallyport/sandbox/testing';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startSimulator, type Simulator } from '../index.ts';
import { vendors } from './vendors.ts';

let simulator: Simulator;

beforeAll(async () => {
  simulator = await startSimulator({ chunksPerSecond: 0, apiKeys: ['sim-key'] });
});
afterAll(() => simulator.close());

/** The path of each vendor, and one of its models. */
const places: Readonly<Record<string, readonly [path: string, model: string]>> = {
  alibaba: ['alibaba/compatible-mode/v1', 'qwen-plus'],
  azure: ['azure/openai/v1', 'gpt-4o'],
  bytedance: ['bytedance/api/v3', 'seed-1-6-250915'],
  cerebras: ['cerebras/v1', 'gpt-oss-120b'],
  deepseek: ['deepseek', 'deepseek-chat'],
  fireworks: ['fireworks/inference/v1', 'accounts/fireworks/models/kimi-k2'],
  groq: ['groq/openai/v1', 'qwen3-32b'],
  minimax: ['minimax/v1', 'MiniMax-M2'],
  mistral: ['mistral/v1', 'mistral-large-latest'],
  moonshot: ['moonshot/v1', 'kimi-k2-0905'],
  novita: ['novita/openai', 'deepseek/deepseek-v3'],
  ollama: ['ollama/v1', 'llama3'],
  openrouter: ['openrouter/api/v1', 'openai/gpt-4o'],
  perplexity: ['perplexity', 'sonar-reasoning'],
  together: ['together/v1', 'deepseek-ai/DeepSeek-R1'],
  vllm: ['vllm/v1', 'local'],
  xai: ['xai/v1', 'grok-4'],
  zai: ['zai/api/paas/v4', 'glm-4.6'],
};

const names = vendors.map(({ id }) => id);

interface Asked {
  vendor: string;
  members?: object;
  headers?: Record<string, string>;
  suffix?: string;
}

function post({ vendor, members = {}, headers = {}, suffix = '/chat/completions' }: Asked) {
  const [path = '', model = ''] = places[vendor] ?? [];
  const credential: Record<string, string> =
    vendor === 'azure' ? { 'api-key': 'sim-key' } : { authorization: 'Bearer sim-key' };
  return ask({
    url: `${simulator.url}/${path}${suffix}`,
    body: { model, messages: user('Hello'), ...members },
    headers: { ...credential, ...headers },
  });
}

const user = (content: unknown) => [{ role: 'user', content }];
const json = async (asked: Asked) => JSON.parse((await post(asked)).text);
const schema = { type: 'object', properties: { q: { type: 'string' } }, required: ['q'] };
const tools = ['one', 'two'].map((name) => ({ type: 'function', function: { name, parameters: schema } }));

/** Folds deltas like the most tolerant client: texts are joined, lists of calls by index, or else by order. */
function folded(text: string) {
  const message: Record<string, unknown> = {};
  let finish: unknown;
  let usage: unknown;
  for (const chunk of dataOf(text)
    .filter((data) => data !== '[DONE]')
    .map((data) => JSON.parse(data))) {
    const [choice] = objectsOf(chunk.choices);
    usage = chunk.usage ?? choice?.usage ?? usage;
    finish = choice?.finish_reason ?? finish;
    if (isObject(choice?.delta)) addDelta(message, choice.delta);
  }
  return { message, finish, usage };
}

function addDelta(message: Record<string, unknown>, delta: JsonObject): void {
  for (const [name, value] of Object.entries(delta)) {
    if (name === 'tool_calls') message.tool_calls = addCall(objectsOf(message.tool_calls), objectsOf(value)[0] ?? {});
    else if (typeof value === 'string' && name !== 'role') message[name] = joined(message[name], value);
    else if (Array.isArray(value)) message[name] = [...(Array.isArray(message[name]) ? message[name] : []), ...value];
  }
}

const joined = (before: unknown, value: string) =>
  Array.isArray(before) ? [...before, value] : `${String(before ?? '')}${value}`;

function addCall(calls: JsonObject[], part: JsonObject): JsonObject[] {
  const opens = typeof part.id === 'string' && part.id !== '';
  const words = isObject(part.function) ? part.function : {};
  if (opens)
    return [...calls, { id: part.id, type: 'function', function: { name: words.name, arguments: words.arguments } }];
  const last = calls.at(-1);
  const before = isObject(last?.function) ? last.function : {};
  const grown = {
    ...last,
    function: { ...before, arguments: `${String(before.arguments)}${String(words.arguments)}` },
  };
  return [...calls.slice(0, -1), grown];
}

/** Text and thinking of a content that may be a list of both. */
function joinedContent(content: unknown): string {
  if (!Array.isArray(content)) return String(content ?? '');
  return content.map((part) => (typeof part === 'string' ? part : joinedContent(part.text ?? part.thinking))).join('');
}

const essence = ({
  message,
  finish,
  usage,
}: {
  message: Record<string, unknown>;
  finish: unknown;
  usage: unknown;
}) => ({
  content: joinedContent(message.content),
  reasoning: message.reasoning ?? message.reasoning_content ?? '',
  calls: message.tool_calls ?? [],
  images: message.images ?? [],
  finish,
  usage,
});

describe.each(names)('%s', (vendor) => {
  const asking = (words: string, members: object = {}) => ({ vendor, members: { messages: user(words), ...members } });

  const cases: readonly (readonly [name: string, asked: Asked])[] = [
    ['text', asking('Hello')],
    ['thoughts', asking('[reasoning]')],
    ['a cut', asking('[length]')],
    ['cached tokens', asking('[cached] and some more words to count')],
    ['images', asking('[image]')],
    ...(vendor === 'perplexity'
      ? []
      : ([
          ['tools in parallel', asking('in parallel', { tools })],
          ['a call without arguments', asking('[no-arguments]', { tools })],
        ] as const)),
  ];

  test.each(cases)('folds a stream to the same answer: %s', async (_, asked) => {
    const whole = await json(asked);
    const stream = { stream: true, ...(vendor !== 'mistral' && { stream_options: { include_usage: true } }) };
    const { text } = await post({ ...asked, members: { ...asked.members, ...stream } });
    const [choice] = whole.choices;
    const expected = essence({ message: choice.message, finish: choice.finish_reason, usage: whole.usage });
    expect(essence(folded(text))).toEqual(expected);
    expect(text.endsWith('data: [DONE]\n\n')).toBe(true);
  });

  test('reports usage in its own format', async () => {
    const { usage } = await json(asking('[cached] [reasoning] and more'));
    expect(usage).toMatchSnapshot('usage');
  });

  test('reports a wrong key and a broken stream in its own format', async () => {
    const header = vendor === 'azure' ? 'api-key' : 'authorization';
    const wrong = await post({ vendor, headers: { [header]: 'Bearer nobody' } });
    const keyless = vendor === 'ollama' || vendor === 'vllm';
    expect(keyless ? wrong.status : [wrong.status, wrong.text]).toMatchSnapshot('wrong key');
    const broken = await post({ vendor, members: { stream: true }, headers: { 'x-sim-fault': 'error-mid-stream:2' } });
    expect(broken.text.split('\n\n').at(-2)).toMatchSnapshot('mid stream');
    const limited = await post({ vendor, headers: { 'x-sim-fault': 'status:429' } });
    expect([limited.status, limited.text]).toMatchSnapshot('limited');
  });
});

test('tests every vendor', () => {
  expect(Object.keys(places).toSorted()).toEqual(names.toSorted());
});
