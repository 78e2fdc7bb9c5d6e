import type { ErrorCode } from '@tallyport/contracts';
import { z } from 'zod';
import { chatHeaders } from './chat-headers.ts';
import { eventStream, json } from './content-types.ts';
import { countFailures, counting } from './counting.ts';
import type { EndpointDescription, Parameter } from './description.ts';

const idOf = (description: string, example: string): Parameter => ({
  name: 'id',
  in: 'path',
  description,
  schema: z.string(),
  example,
});

const contents = [{ role: 'user', parts: [{ text: 'What is a tallyport?' }] }];
const examples = { plain: { summary: 'A question', value: { contents } } };

/** What every lane needs: a vendor with this API may get more than can be translated, as it arrived. */
export const generateContentOutline = z
  .looseObject({
    contents: z.array(z.looseObject({ role: z.string().nullish(), parts: z.array(z.unknown()).nullish() })),
  })
  .describe("The members of Google's generateContent, in camelCase or snake_case.");

const answer = z.looseObject({ candidates: z.array(z.unknown()), modelVersion: z.string(), responseId: z.string() });

export const generateContentDescription: EndpointDescription = {
  id: 'generateContent',
  tag: 'Gemini',
  summary: "Completes a chat in the format of Google's Gemini API.",
  description: `For the Google Gen AI SDKs and Gemini CLI, with every chat model; the key is sent in \`x-goog-api-key\`.
\`:streamGenerateContent\` streams: server-sent events with \`alt=sse\`, otherwise one JSON array. \`:embedContent\` and
\`:batchEmbedContents\` embed texts with any embedding model. Chats for Google itself and its responses are passed on
unchanged; for other providers, members that a chat request cannot express, such as Google Search, are refused by name.
Errors have Google's form: a wrong key is 400 with the reason \`API_KEY_INVALID\`.`,
  parameters: [
    idOf(
      'The model and the method, such as `:generateContent` or `:embedContent`. Before a name with a slash, clients may leave out `models/`.',
      'sandbox-chat:generateContent',
    ),
    {
      name: 'alt',
      in: 'query',
      description: '`sse`: a stream of server-sent events.',
      schema: z.enum(['sse', 'json']).optional(),
    },
  ],
  headers: chatHeaders,
  body: { [json]: { schema: generateContentOutline, examples } },
  answers: {
    200: {
      description: 'The answer, complete or streamed.',
      headers: ['X-Tallyport-Lane'],
      content: {
        [json]: { schema: z.union([answer, z.array(answer)]) },
        [eventStream]: { schema: answer, events: true },
      },
    },
  },
  failures: ['not_found'],
};

export const geminiCountDescription: EndpointDescription = {
  id: 'countGeminiTokens',
  tag: 'Gemini',
  summary: 'Counts the tokens of a Gemini request.',
  description: counting.description,
  parameters: [idOf('The model.', 'sandbox-chat')],
  body: { [json]: { schema: z.looseObject({ contents: z.array(z.unknown()).optional() }), examples } },
  answers: { 200: { ...counting.answer, content: { [json]: { schema: z.object({ totalTokens: z.int() }) } } } },
  failures: countFailures,
};

const model = z.looseObject({
  name: z.string(),
  displayName: z.string(),
  supportedGenerationMethods: z.array(z.string()),
});

const lookUpFailures: readonly ErrorCode[] = [
  'invalid_parameters',
  'invalid_api_key',
  'rate_limit_exceeded',
  'unavailable',
];

export const geminiModelListDescription: EndpointDescription = {
  id: 'listGeminiModels',
  tag: 'Gemini',
  summary: "Lists the models in the format of Google's Gemini API.",
  parameters: [
    {
      name: 'pageSize',
      in: 'query',
      description: 'Models per page, up to 1,000; 50 when absent.',
      schema: z.int().optional(),
      example: '10',
    },
    {
      name: 'pageToken',
      in: 'query',
      description: '`nextPageToken` of the page before.',
      schema: z.string().optional(),
    },
  ],
  answers: {
    200: {
      description: 'One page of the list.',
      headers: ['ETag'],
      content: { [json]: { schema: z.object({ models: z.array(model), nextPageToken: z.string().optional() }) } },
    },
  },
  failures: lookUpFailures,
};

export const geminiModelDescription: EndpointDescription = {
  id: 'getGeminiModel',
  tag: 'Gemini',
  summary: "Returns one model in the format of Google's Gemini API.",
  parameters: [idOf('Slashes need no encoding.', 'sandbox-chat')],
  answers: { 200: { description: 'The model.', headers: ['ETag'], content: { [json]: { schema: model } } } },
  failures: [...lookUpFailures, 'model_not_found'],
};
