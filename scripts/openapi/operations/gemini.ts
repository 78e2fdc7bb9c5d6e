import { z } from 'zod';
import type { Parameter } from '@tallyport/endpoints';
import type { DescribedOperation } from '../operation.ts';
import {
  counting,
  countFailures,
  countHeader,
  fallback,
  laneHeader,
  noCache,
  noFallback,
  once,
  servedHeaders,
  serving,
} from './serving.ts';

const json = 'application/json';
const [idempotencyKey] = once;

const idOf = (description: string, example: string): Parameter => ({
  name: 'id',
  in: 'path',
  description,
  schema: z.string(),
  example,
});

const contents = [{ role: 'user', parts: [{ text: 'What is a tallyport?' }] }];
const examples = { plain: { summary: 'A question', value: { contents } } };
const request = z
  .looseObject({ contents: z.array(z.looseObject({ role: z.string().optional(), parts: z.array(z.unknown()) })) })
  .describe("The members of Google's generateContent, in camelCase or snake_case.");
const answer = z.looseObject({ candidates: z.array(z.unknown()), modelVersion: z.string(), responseId: z.string() });
const model = z.looseObject({
  name: z.string(),
  displayName: z.string(),
  supportedGenerationMethods: z.array(z.string()),
});

const listFailures = ['invalid_parameters', 'invalid_api_key', 'rate_limit_exceeded', 'unavailable'] as const;

/** Google's clients use either version of the API. */
const generation = (version: '/v1' | '/v1beta', suffix: string): readonly DescribedOperation[] => [
  {
    id: `generateContent${suffix}`,
    method: 'POST',
    path: `${version}/models/{id}`,
    tag: 'Gemini',
    summary: "Completes a chat in the format of Google's Gemini API.",
    description: `For the Google Gen AI SDKs and Gemini CLI, with every chat model; the key is sent in \`x-goog-api-key\`.
\`:streamGenerateContent\` streams: server-sent events with \`alt=sse\`, otherwise one JSON array. \`:embedContent\` and
\`:batchEmbedContents\` embed texts with any embedding model. Chats for Google itself and its responses are passed on
unchanged; for other providers, members that a chat request cannot express, such as Google Search, are refused by name.
Errors have Google's form: a wrong key is 400 with the reason \`API_KEY_INVALID\`.`,
    access: 'key',
    parameters: [
      idOf(
        'The model and the method, such as `:generateContent` or `:embedContent`. Before a name with a slash, clients may leave out `models/`.',
        'sandbox-chat:generateContent',
      ),
      {
        name: 'alt',
        in: 'query',
        description: '`sse`: a stream of server-sent events.',
        schema: z.enum(['sse', 'json']),
      },
      fallback,
      noFallback,
      noCache,
      ...(idempotencyKey ? [idempotencyKey] : []),
    ],
    body: { [json]: { schema: request, examples } },
    answers: {
      200: {
        description: 'The answer, complete or streamed.',
        headers: [...servedHeaders, laneHeader],
        content: {
          [json]: { schema: z.union([answer, z.array(answer)]) },
          'text/event-stream': { schema: answer, events: true },
        },
      },
    },
    failures: [...serving, 'not_found'],
  },
];

const tokenCount = (version: '/v1' | '/v1beta', suffix: string): DescribedOperation => ({
  id: `countGeminiTokens${suffix}`,
  method: 'POST',
  path: `${version}/models/{id}:countTokens`,
  tag: 'Gemini',
  summary: 'Counts the tokens of a Gemini request.',
  description: counting,
  access: 'key',
  parameters: [idOf('The model.', 'sandbox-chat')],
  body: {
    [json]: { schema: z.looseObject({ contents: z.array(z.unknown()).optional() }), examples },
  },
  answers: {
    200: {
      description: 'The tokens.',
      headers: [countHeader],
      content: { [json]: { schema: z.object({ totalTokens: z.int() }) } },
    },
  },
  failures: countFailures,
});

/** Google's Gemini API. Its errors have Google's form, and a wrong key is 400. */
export const geminiOperations: readonly DescribedOperation[] = [
  ...generation('/v1beta', ''),
  tokenCount('/v1beta', ''),
  ...generation('/v1', 'V1'),
  tokenCount('/v1', 'V1'),
  {
    id: 'listGeminiModels',
    method: 'GET',
    path: '/v1beta/models',
    tag: 'Gemini',
    summary: "Lists the models in the format of Google's Gemini API.",
    access: 'optional',
    parameters: [
      {
        name: 'pageSize',
        in: 'query',
        description: 'Models per page, up to 1,000; 50 when absent.',
        schema: z.int(),
        example: '10',
      },
      { name: 'pageToken', in: 'query', description: '`nextPageToken` of the page before.', schema: z.string() },
    ],
    answers: {
      200: {
        description: 'One page of the list.',
        headers: ['ETag'],
        content: { [json]: { schema: z.object({ models: z.array(model), nextPageToken: z.string().optional() }) } },
      },
    },
    failures: listFailures,
  },
  {
    id: 'getGeminiModel',
    method: 'GET',
    path: '/v1beta/models/{id}',
    tag: 'Gemini',
    summary: "Returns one model in the format of Google's Gemini API.",
    access: 'optional',
    parameters: [idOf('Slashes need no encoding.', 'sandbox-chat')],
    answers: { 200: { description: 'The model.', headers: ['ETag'], content: { [json]: { schema: model } } } },
    failures: [...listFailures, 'model_not_found'],
  },
];
