import { expect } from 'vitest';
import { type ClientApi, clientApis } from '../apis/client-apis.ts';
import { objectAt, objectIn } from '../apis/json.ts';
import { post } from '../conversation.ts';
import type { Question } from '../turns.ts';
import type { Column } from './column.ts';

/** How an API counts the tokens of a question. */
interface Counting {
  path(question: Question): string;
  body(body: object): object;
  /** The count, and the same in the usage of an answer. */
  members: { count: string; usage: string; billed: string };
}

const without = (body: object, names: readonly string[]): object =>
  Object.fromEntries(Object.entries(body).filter(([name]) => !names.includes(name)));

/** Chats and interactions are not counted. */
type CountingApi = Exclude<ClientApi, 'chat' | 'interactions'>;
const countsTokens = (api: ClientApi): api is CountingApi => api !== 'chat' && api !== 'interactions';

const countings: Readonly<Record<CountingApi, Counting>> = {
  messages: {
    path: () => '/v1/messages/count_tokens',
    body: (body) => without(body, ['max_tokens', 'stream']),
    members: { count: 'input_tokens', usage: 'usage', billed: 'input_tokens' },
  },
  responses: {
    path: () => '/v1/responses/input_tokens',
    body: (body) => without(body, ['stream', 'store', 'include']),
    members: { count: 'input_tokens', usage: 'usage', billed: 'input_tokens' },
  },
  gemini: {
    path: ({ model }) => `/v1beta/models/${model}:countTokens`,
    body: (body) => ({ generateContentRequest: { model: 'models/any', ...body } }),
    members: { count: 'totalTokens', usage: 'usageMetadata', billed: 'promptTokenCount' },
  },
};

/** Vendors that count the tokens of every request that they are sent. */
const counters = new Set(['anthropic', 'aws-bedrock', 'google', 'google-vertex']);

/** The vendor of the model counts the tokens of a request, and the count is what the same request is billed. */
export const count: Column = {
  title: 'count',
  holds: ({ provider }, api) =>
    countsTokens(api) && (counters.has(provider) || (provider === 'openai' && api === 'responses')),
  async check({ family, api, rig }) {
    if (!countsTokens(api)) throw new Error(`The API ${api} counts no tokens.`);
    const steps = [{ role: 'user' as const, text: 'Be brief. '.repeat(50) }];
    const question = { model: family.name, steps, tools: ['weather'], stream: false };
    const { members, ...counting } = countings[api];
    const body = clientApis[api].body(question);
    const counted = await post(rig, counting.path(question), counting.body(body));
    const answered = await post(rig, clientApis[api].path(question), body);
    const billed = objectAt(objectIn(answered.text)[members.usage])[members.billed];
    const by = counted.headers.get('x-tallyport-count');
    expect([by, objectIn(counted.text)[members.count]]).toEqual(['vendor', billed]);
  },
};
