import type { ErrorCode } from '@tallyport/contracts';
import { z } from 'zod';
import type { Parameter } from '@tallyport/endpoints';
import type { DescribedOperation } from '../operation.ts';
import { counting, countHeader, fallback, noCache, noFallback, once, servedHeaders, serving } from './serving.ts';

const json = 'application/json';
const [idempotencyKey] = once;

const question = { model: 'sandbox-chat', input: 'What is a tallyport?' };
const examples = { plain: { summary: 'A question', value: question } };
const request = z
  .looseObject({ model: z.string(), input: z.union([z.string(), z.array(z.unknown())]) })
  .describe("The members of OpenAI's Responses API.");
const answer = z.looseObject({ id: z.string(), object: z.literal('response'), output: z.array(z.unknown()) });
const event = z.looseObject({ type: z.string() });

const id: Parameter = { name: 'id', in: 'path', description: 'The id of a stored response.', schema: z.string() };
const stored = { tag: 'Responses', access: 'key' } as const;
const failures: readonly ErrorCode[] = ['invalid_api_key', 'not_found', 'rate_limit_exceeded', 'unavailable'];

/** OpenAI's Responses API. */
export const responsesOperations: readonly DescribedOperation[] = [
  {
    id: 'createResponse',
    method: 'POST',
    path: '/v1/responses',
    tag: 'Responses',
    summary: "Completes a chat in the format of OpenAI's Responses API.",
    description: `For Codex and the defaults of OpenAI's SDKs, with every chat model. A response is stored unless \`store\` is false, and
\`previous_response_id\` continues it. \`store\` of the response says whether it was stored. \`conversation\` and
\`background\` are refused by name. Reasoning state of a vendor travels in \`encrypted_content\`.`,
    access: 'key',
    parameters: [fallback, noFallback, noCache, ...(idempotencyKey ? [idempotencyKey] : [])],
    body: { [json]: { schema: request, examples } },
    answers: {
      200: {
        description: 'The response, complete or streamed.',
        headers: servedHeaders,
        content: { [json]: { schema: answer }, 'text/event-stream': { schema: event, events: true } },
      },
    },
    failures: [...serving, 'not_found', 'previous_response_not_found'],
  },
  {
    id: 'compactResponse',
    method: 'POST',
    path: '/v1/responses/compact',
    tag: 'Responses',
    summary: 'Compacts a conversation, with models of OpenAI.',
    description: `The answer replaces the conversation in later requests. Only OpenAI can read it, so the request is passed on to
OpenAI's own models and refused for all others.`,
    access: 'key',
    parameters: [fallback, noFallback, ...(idempotencyKey ? [idempotencyKey] : [])],
    // Without an example: the simulated models do not compact.
    body: {
      [json]: {
        schema: z.looseObject({ model: z.string(), input: z.union([z.string(), z.array(z.unknown())]).optional() }),
      },
    },
    answers: {
      200: {
        description: 'The messages of the user and the compacted rest.',
        headers: servedHeaders,
        content: {
          [json]: {
            schema: z.looseObject({ object: z.literal('response.compaction'), output: z.array(z.unknown()) }),
          },
        },
      },
    },
    failures: [...serving, 'previous_response_not_found'],
  },
  {
    ...stored,
    id: 'countResponseTokens',
    method: 'POST',
    path: '/v1/responses/input_tokens',
    summary: 'Counts the input tokens of a response. A continued conversation counts.',
    description: counting,
    body: { [json]: { schema: request, examples } },
    answers: {
      200: {
        description: 'The tokens.',
        headers: [countHeader],
        content: {
          [json]: { schema: z.object({ object: z.literal('response.input_tokens'), input_tokens: z.int() }) },
        },
      },
    },
    failures: [...failures, 'invalid_json', 'invalid_parameters', 'model_not_found', 'previous_response_not_found'],
  },
  {
    ...stored,
    id: 'getResponse',
    method: 'GET',
    path: '/v1/responses/{id}',
    summary: 'Returns a stored response of the account.',
    parameters: [id],
    answers: { 200: { description: 'The response as it was sent.', content: { [json]: { schema: answer } } } },
    failures: [...failures, 'invalid_parameters'],
  },
  {
    ...stored,
    id: 'deleteResponse',
    method: 'DELETE',
    path: '/v1/responses/{id}',
    summary: 'Deletes a stored response. Responses after it in its conversation can no longer be continued.',
    parameters: [id],
    answers: {
      200: {
        description: 'It is deleted.',
        content: {
          [json]: {
            schema: z.object({ id: z.string(), object: z.literal('response'), deleted: z.literal(true) }),
          },
        },
      },
    },
    failures,
  },
  {
    ...stored,
    id: 'listResponseInputItems',
    method: 'GET',
    path: '/v1/responses/{id}/input_items',
    summary: 'Lists what a stored response answered: its input, and the conversation before it.',
    parameters: [
      id,
      { name: 'limit', in: 'query', description: 'Items per page, 1 to 100; 20 when absent.', schema: z.int() },
      {
        name: 'order',
        in: 'query',
        description: '`desc`, the default, begins with the last item.',
        schema: z.enum(['asc', 'desc']),
      },
      { name: 'after', in: 'query', description: 'The last item of the page before.', schema: z.string() },
    ],
    answers: {
      200: {
        description: 'One page of items.',
        content: {
          [json]: {
            schema: z.object({
              object: z.literal('list'),
              data: z.array(z.looseObject({ id: z.string(), type: z.string() })),
              first_id: z.string().nullable(),
              last_id: z.string().nullable(),
              has_more: z.boolean(),
            }),
          },
        },
      },
    },
    failures: [...failures, 'invalid_parameters', 'request_too_large', 'overloaded'],
  },
  {
    ...stored,
    id: 'cancelResponse',
    method: 'POST',
    path: '/v1/responses/{id}/cancel',
    summary: 'Refuses to cancel a response: only background responses can be cancelled, and there are none.',
    parameters: [id],
    answers: {},
    failures: [...failures, 'invalid_parameters'],
  },
];
