import { chatRequestSchema } from '@tallyport/wire';
import { z } from 'zod';
import { providersSchema, routeSchema } from '../answers/routing.ts';
import {
  chunkSchema,
  completionSchema,
  embeddingRequest,
  type Example,
  imageGenerationRequest,
  type Parameter,
} from '@tallyport/endpoints';
import type { DescribedOperation } from '../operation.ts';
import { fallback, noCache, noFallback, once, servedHeaders, serving } from './serving.ts';

const json = 'application/json';
const messages = [{ role: 'user', content: 'What is a tallyport?' }];

const weather = {
  type: 'function',
  function: {
    name: 'get_weather',
    description: 'The weather in a city.',
    parameters: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
  },
};

const examples: Record<string, Example> = {
  plain: { summary: 'A question', value: { model: 'sandbox-chat', messages } },
  streamed: {
    summary: 'The same, streamed, with usage',
    value: { model: 'sandbox-chat', messages, stream: true, stream_options: { include_usage: true } },
  },
  tools: {
    summary: 'With a tool',
    value: {
      model: 'sandbox-chat',
      messages: [{ role: 'user', content: 'How is the weather in Lyon?' }],
      tools: [weather],
    },
  },
  image: {
    summary: 'An image through chat',
    value: {
      model: 'sandbox-image',
      messages: [{ role: 'user', content: 'A red lighthouse' }],
      image_config: { n: 1 },
    },
  },
};

/** What an explanation assumes about providers. */
const whatIfs: readonly Parameter[] = [
  {
    name: 'uptime',
    in: 'query',
    description: 'Assumes these uptimes, in percent, of providers. Nothing else is known of their health then.',
    schema: z.string(),
    example: 'openai:50,azure:99.5',
  },
  {
    name: 'price',
    in: 'query',
    description: 'Assumes that providers are so many times as dear.',
    schema: z.string(),
    example: 'azure:2',
  },
  {
    name: 'slowness',
    in: 'query',
    description:
      'Assumes that providers are so many times as slow. Without measurements of any offer, it has no effect.',
    schema: z.string(),
    example: 'groq:3',
  },
];

const description = `OpenAI's format, complete, plus \`image_config\`, \`reasoning\` and, in answers, \`reasoning_content\`, \`images\`,
\`content_order\`, \`stop_reason\`, \`usage.cost\` and \`metadata\`.

**Model.** With \`gpt-6-luna\` the gateway chooses the provider; \`openai/gpt-6-luna\` names it.

**Failover.** If a provider fails before the first content, the gateway tries another offer. \`metadata.routing\` and
\`x-tallyport-attempts\` show the attempts.

**Unsupported members.** Sampling hints are dropped. A provider without support for a member that changes the meaning of
an answer (tools, \`response_format\`, \`n\`, \`logprobs\`, images) is not used; if none is left, the answer is 400
\`unsupported_capability\` and names the member. Unknown members are passed on to providers of the same format and
otherwise ignored; a member that no vendor knows, such as a misspelt one, is named in a \`warning\` header.

**Cache.** A repeated request of the same account gets the earlier answer, streamed or not, for as long as the key, the
account or the installation allows. \`x-tallyport-cache\` and \`metadata.cached\` show it.

**Streams** are server-sent events: chunks as \`data:\` lines, comments as keep-alives after 15 s of silence, \`metadata\` on the chunk
with the \`finish_reason\`, and \`data: [DONE]\` at the end. A stream that breaks ends with \`data: {"error":{…}}\` and without
\`[DONE]\`; its codes are \`stream_truncated\`, \`upstream_error\`, \`upstream_timeout\` and \`unavailable\`.`;

export const chatOperations: readonly DescribedOperation[] = [
  {
    id: 'createChatCompletion',
    method: 'POST',
    path: '/v1/chat/completions',
    tag: 'Chat',
    summary: 'Completes a chat with text, tool calls or images.',
    description,
    access: 'key',
    parameters: [fallback, noFallback, noCache, ...once],
    body: { [json]: { schema: chatRequestSchema, examples } },
    answers: {
      200: {
        description: 'The answer, complete or streamed.',
        headers: servedHeaders,
        content: { [json]: { schema: completionSchema }, 'text/event-stream': { schema: chunkSchema, events: true } },
      },
    },
    failures: serving,
  },
  {
    id: 'explainRoute',
    method: 'POST',
    path: '/v1/routes/explain',
    tag: 'Routing',
    summary: 'Explains how a request would be routed, without calling a provider.',
    description:
      'Takes the body of a chat, of an image generation or of a request for embeddings, or that of another API with its `path`.',
    access: 'key',
    parameters: [
      {
        name: 'path',
        in: 'query',
        description: 'The address that the request would be sent to, for chats of other APIs than chat completions.',
        schema: z.string(),
        example: '/v1/messages',
      },
      ...whatIfs,
      fallback,
      noFallback,
    ],
    body: {
      [json]: {
        schema: z.union([chatRequestSchema, imageGenerationRequest, embeddingRequest]),
        examples: {
          chat: { summary: 'A chat', value: { model: 'sandbox-chat', messages } },
          image: { summary: 'An image', value: { model: 'sandbox-image', prompt: 'A red lighthouse' } },
        },
      },
    },
    answers: {
      200: { description: 'Every candidate with its score.', content: { [json]: { schema: routeSchema } } },
    },
    failures: [
      ...(['invalid_json', 'invalid_parameters', 'unsupported_capability', 'invalid_api_key'] as const),
      ...(['permission_denied', 'model_not_found', 'request_too_large', 'unsupported_media_type'] as const),
      ...(['rate_limit_exceeded', 'unavailable'] as const),
    ],
  },
  {
    id: 'listProviders',
    method: 'GET',
    path: '/v1/providers',
    tag: 'Routing',
    summary: 'Lists the offers this key may use, with their health.',
    access: 'key',
    answers: { 200: { description: 'The offers.', content: { [json]: { schema: providersSchema } } } },
    failures: ['invalid_api_key', 'rate_limit_exceeded', 'unavailable'],
  },
];
