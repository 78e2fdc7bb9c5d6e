import { parseExactJson } from '@tallyport/wire';
import { inputTokensIn } from '../../anthropic/counting.ts';
import { countingHeaders, type TokenCounting, withMembers } from '../../counting/token-counting.ts';
import { members } from '../../read.ts';
import { chatAsResponse } from './chat-as-response.ts';

const promptMembers: ReadonlySet<string> = new Set([
  'input',
  'instructions',
  'model',
  'parallel_tool_calls',
  'reasoning',
  'text',
  'tool_choice',
  'tools',
  'truncation',
]);

const countingRequest = (headers: Readonly<Record<string, string>>, body: Buffer) => ({
  method: 'POST' as const,
  path: '/responses/input_tokens',
  headers: { ...headers, ...countingHeaders },
  body,
});

/** `POST /v1/responses/input_tokens`. */
export const responsesCounting: TokenCounting = {
  request: ({ headers, body }) => countingRequest(headers, withMembers(body, promptMembers)),
  tokens: inputTokensIn,
  answersClients: true,
};

/** The same for a chat, whose own API has no such endpoint. */
export const chatCounting: TokenCounting = {
  request({ headers, body }, offer) {
    const chat = members(parseExactJson(body.toString('utf8')));
    // It is asked for in the Responses API.
    if ('input' in chat) return responsesCounting.request({ headers, body }, offer);
    const response = chatAsResponse(chat);
    return response && countingRequest(headers, Buffer.from(JSON.stringify(response)));
  },
  tokens: inputTokensIn,
};
