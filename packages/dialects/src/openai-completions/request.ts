import type { ChatRequest } from '@tallyport/wire';
import { parsedBody } from '../parsed-body.ts';
import { completionRequestSchema } from './request-schema.ts';

/**
 * The prompt as the only message of a chat. Without `max_tokens` the model decides: the 16 tokens of the legacy API would
 * end most answers of chat models, and all of those that think, too early.
 */
export function promptRequest(body: unknown): ChatRequest {
  const request = parsedBody(completionRequestSchema, body);
  const { model, prompt, max_tokens: limit } = request;
  return {
    model,
    messages: [{ role: 'user', content: typeof prompt === 'string' ? prompt : prompt.join('') }],
    ...(limit != null && { max_completion_tokens: limit }),
    ...Object.fromEntries(shared.flatMap((name) => (request[name] == null ? [] : [[name, request[name]]]))),
  };
}

/** Members with the same name and meaning in a chat. */
const shared = [
  'frequency_penalty',
  'logit_bias',
  'n',
  'presence_penalty',
  'seed',
  'stop',
  'stream',
  'stream_options',
  'temperature',
  'top_p',
  'user',
] as const;
