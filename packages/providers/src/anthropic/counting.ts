import { countingHeaders, type TokenCounting, withMembers } from '../counting/token-counting.ts';
import { members } from '../read.ts';
import { tokenCount } from '../token-counts.ts';

/** What the prompt consists of. */
export const promptMembers: ReadonlySet<string> = new Set([
  'cache_control',
  'context_management',
  'mcp_servers',
  'messages',
  'model',
  'output_config',
  'output_format',
  'system',
  'thinking',
  'tool_choice',
  'tools',
]);

export const inputTokensIn = (answer: unknown): number | undefined => tokenCount(members(answer).input_tokens);

/** `POST /v1/messages/count_tokens`. */
export const messagesCounting: TokenCounting = {
  request: ({ headers, body }) => ({
    method: 'POST',
    path: '/messages/count_tokens',
    headers: { ...headers, ...countingHeaders },
    body: withMembers(body, promptMembers),
  }),
  tokens: inputTokensIn,
  answersClients: true,
};
