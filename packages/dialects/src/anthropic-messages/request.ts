import { createHash } from 'node:crypto';
import type { ChatRequest } from '@tallyport/wire';
import { parsedBody } from '../parsed-body.ts';
import { toChatMessages, withFinalMark } from './messages.ts';
import { countTokensSchema, type MessagesBody, messagesRequestSchema } from './request-schema.ts';
import { toSystemMessages } from './system.ts';
import { tierOfMessages } from './service-tier.ts';
import { toReasoning } from './thinking.ts';
import { toToolMembers } from './tools.ts';

export const readMessagesBody = (body: unknown): ChatRequest => toChatRequest(parsedBody(messagesRequestSchema, body));

export const readCountTokensBody = (body: unknown): ChatRequest => {
  const { max_tokens: _limit, stream: _stream, ...rest } = parsedBody(countTokensSchema, body);
  return toChatRequest(rest);
};

function toChatRequest(body: MessagesBody): ChatRequest {
  const messages = [...toSystemMessages(body.system), ...toChatMessages(body.messages)];
  return {
    model: body.model,
    messages: withFinalMark(messages, body.cache_control),
    ...(body.max_tokens !== undefined && { max_completion_tokens: body.max_tokens }),
    // The usage is part of every stream of this API.
    ...(body.stream === true && { stream: true, stream_options: { include_usage: true } }),
    ...samplingOf(body),
    ...toToolMembers(body),
    ...toReasoning(body),
    ...formatOf(body),
    ...hintsOf(body),
  };
}

function samplingOf({ temperature, top_p, top_k, stop_sequences }: MessagesBody): Partial<ChatRequest> {
  return {
    ...(temperature != null && { temperature }),
    ...(top_p != null && { top_p }),
    // No member of OpenAI's; vendors that have it take it from here.
    ...(top_k != null && { top_k }),
    ...(stop_sequences && stop_sequences.length > 0 && { stop: stop_sequences }),
  };
}

function formatOf({ output_config, output_format }: MessagesBody): Pick<ChatRequest, 'response_format'> {
  const schema = (output_config?.format ?? output_format)?.schema;
  if (schema === undefined) return {};
  return { response_format: { type: 'json_schema', json_schema: { name: 'answer', schema, strict: true } } };
}

function hintsOf(body: MessagesBody): Pick<ChatRequest, 'user' | 'service_tier'> {
  const user = body.metadata?.user_id;
  const tier = tierOfMessages(body);
  return {
    ...(user && { user: shortUser(user) }),
    ...(tier !== undefined && { service_tier: tier }),
  };
}

/** Other vendors take no more characters; agents send a whole JSON document here. */
const longestUser = 64;

const shortUser = (user: string): string =>
  user.length <= longestUser ? user : createHash('sha256').update(user).digest('hex');
