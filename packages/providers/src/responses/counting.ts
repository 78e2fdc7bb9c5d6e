import { inputTokensIn } from '../anthropic/counting.ts';
import { countingHeaders, type TokenCounting, withMembers } from '../counting/token-counting.ts';

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

/** `POST /v1/responses/input_tokens`. */
export const responsesCounting: TokenCounting = {
  request: ({ headers, body }) => ({
    method: 'POST',
    path: '/responses/input_tokens',
    headers: { ...headers, ...countingHeaders },
    body: withMembers(body, promptMembers),
  }),
  tokens: inputTokensIn,
  answersClients: true,
};
