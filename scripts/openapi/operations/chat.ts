import { chatRequestSchema } from '@switchyard/wire';
import { z } from 'zod';
import { chunkSchema, completionSchema } from '../answers/chat.ts';
import { providersSchema, routeSchema } from '../answers/routing.ts';
import type { DescribedOperation, Example } from '../operation.ts';
import { generationRequest } from './images.ts';
import { noCache, noFallback, once, servedHeaders, serving } from './serving.ts';

const json = 'application/json';
const messages = [{ role: 'user', content: 'What is a switchyard?' }];

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

const description = `OpenAI's format with everything in it, plus \`image_config\`, \`reasoning\` and, in answers, \`reasoning_content\`, \`images\`,
\`usage.cost\` and \`metadata\`.

**Model.** \`gpt-4o-mini\` leaves the provider to the gateway, \`openai/gpt-4o-mini\` asks for that one.

**Failover.** Until the first content a provider's fault is answered by trying another offer; \`metadata.routing\` and \`x-switchyard-attempts\` tell.

**What a provider cannot honour.** Sampling hints are left out. What changes the meaning of an answer (tools, \`response_format\`, \`n\`,
\`logprobs\`, images) rules the provider out; with none left the answer is 400 \`unsupported_capability\` and names the member.
Members nobody knows are handed on to providers of the same format and otherwise ignored.

**Cache.** The same request of the same account is answered again from what was answered before, for as long as the key, the account or the
installation allows; streams and plain answers alike. \`x-switchyard-cache\` tells, and \`metadata.cached\`.

**Streams** are server-sent events: chunks as \`data:\` lines, comments as signs of life after 15 s of silence, \`metadata\` on the chunk
with the \`finish_reason\`, and \`data: [DONE]\` at the end. A stream that breaks ends with \`data: {"error":{…}}\` and without
\`[DONE]\`; its codes are \`stream_truncated\`, \`upstream_error\`, \`upstream_timeout\` and \`unavailable\`.`;

export const chatOperations: readonly DescribedOperation[] = [
  {
    id: 'createChatCompletion',
    method: 'POST',
    path: '/v1/chat/completions',
    tag: 'Chat',
    summary: 'Answers a chat, with text, tool calls or images.',
    description,
    access: 'key',
    parameters: [noFallback, noCache, ...once],
    body: { [json]: { schema: chatRequestSchema, examples } },
    answers: {
      200: {
        description: 'The answer, as a whole or streamed.',
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
    summary: 'Where a request would go, and why. Nothing is called, nothing is spent.',
    description: 'Takes the body of a chat or of an image generation.',
    access: 'key',
    parameters: [noFallback],
    body: {
      [json]: {
        schema: z.union([chatRequestSchema, generationRequest]),
        examples: {
          chat: { summary: 'Of a chat', value: { model: 'sandbox-chat', messages } },
          image: { summary: 'Of an image', value: { model: 'sandbox-image', prompt: 'A red lighthouse' } },
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
    summary: 'How every offer stands that this key may use.',
    access: 'key',
    answers: { 200: { description: 'The offers.', content: { [json]: { schema: providersSchema } } } },
    failures: ['invalid_api_key', 'rate_limit_exceeded', 'unavailable'],
  },
];
