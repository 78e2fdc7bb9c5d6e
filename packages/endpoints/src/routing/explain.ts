import { chatRequestSchema } from '@tallyport/wire';
import { z } from 'zod';
import { json } from '../content-types.ts';
import type { EndpointDescription, Parameter } from '../description.ts';
import { embeddingRequest } from '../embeddings.ts';
import { imageGenerationRequest } from '../images/generations.ts';
import { routePlanSchema } from './answers.ts';

const parameter = (name: string, example: string, description: string): Parameter => ({
  name,
  in: 'query',
  description,
  schema: z.string().optional(),
  example,
});

const messages = [{ role: 'user', content: 'What is a tallyport?' }];

export const explainDescription: EndpointDescription = {
  id: 'explainRoute',
  tag: 'Routing',
  summary: 'Explains how a request would be routed, without calling a provider.',
  description:
    'Takes the body of a chat, of an image generation or of a request for embeddings, or that of another API with its `path`. The members of a form are those of an object, without its file.',
  parameters: [
    parameter(
      'path',
      '/v1/messages',
      'The address that the request would be sent to, with or without its query: that of any endpoint that costs money.',
    ),
    parameter(
      'uptime',
      'openai:50,azure:99.5',
      'Assumes these uptimes, in percent, of providers. Nothing else is known of their health then.',
    ),
    parameter('price', 'azure:2', 'Assumes that providers are so many times as dear.'),
    parameter(
      'slowness',
      'groq:3',
      'Assumes that providers are so many times as slow. Without measurements of any offer, it has no effect.',
    ),
  ],
  headers: ['X-Fallback', 'X-Fallback-Models', 'X-No-Fallback', 'X-Provider-Preferences'],
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
    200: { description: 'Every candidate with its score.', content: { [json]: { schema: routePlanSchema } } },
  },
  failures: [
    ...(['invalid_json', 'invalid_parameters', 'unsupported_capability', 'invalid_api_key'] as const),
    ...(['permission_denied', 'model_not_found', 'request_too_large', 'unsupported_media_type'] as const),
    ...(['rate_limit_exceeded', 'unavailable'] as const),
  ],
};
