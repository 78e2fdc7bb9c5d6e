import { z } from 'zod';
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
const parameters = [fallback, noFallback, noCache, ...(idempotencyKey ? [idempotencyKey] : [])];

const question = 'What is a tallyport?';
const conversation = { model: 'sandbox-chat', max_tokens: 200, messages: [{ role: 'user', content: question }] };

const messagesRequest = z
  .looseObject({ model: z.string(), max_tokens: z.int(), messages: z.array(z.looseObject({ role: z.string() })) })
  .describe("The members of Anthropic's Messages API.");
const messagesAnswer = z.looseObject({ id: z.string(), type: z.literal('message'), content: z.array(z.unknown()) });

const textCompletion = z.looseObject({
  id: z.string(),
  object: z.literal('text_completion'),
  choices: z.array(z.unknown()),
});

const event = z.looseObject({ type: z.string() });

/** APIs that are translated to chat completions, so every chat model answers them. */
export const dialectOperations: readonly DescribedOperation[] = [
  {
    id: 'createMessage',
    method: 'POST',
    path: '/v1/messages',
    tag: 'Messages',
    summary: "Completes a chat in the format of Anthropic's Messages API.",
    description: `For the Anthropic SDKs and Claude Code, with every chat model. Requests to Anthropic itself, \`anthropic-beta\` included, and its responses are passed on unchanged.
For other providers, members that a chat request cannot express, such as server tools, are refused by name. Errors have Anthropic's form.`,
    access: 'key',
    parameters,
    body: { [json]: { schema: messagesRequest, examples: { plain: { summary: 'A question', value: conversation } } } },
    answers: {
      200: {
        description: 'The message, complete or streamed.',
        headers: [...servedHeaders, laneHeader],
        content: { [json]: { schema: messagesAnswer }, 'text/event-stream': { schema: event, events: true } },
      },
    },
    failures: [...serving, 'thread_not_found'],
  },
  {
    id: 'countMessageTokens',
    method: 'POST',
    path: '/v1/messages/count_tokens',
    tag: 'Messages',
    summary: 'Counts the tokens of a message request.',
    description: counting,
    access: 'key',
    body: {
      [json]: {
        schema: z.looseObject({ model: z.string(), messages: z.array(z.looseObject({ role: z.string() })) }),
        examples: { plain: { summary: 'A question', value: conversation } },
      },
    },
    answers: {
      200: {
        description: 'The tokens.',
        headers: [countHeader],
        content: { [json]: { schema: z.object({ input_tokens: z.int() }) } },
      },
    },
    failures: countFailures,
  },
  {
    id: 'createCompletion',
    method: 'POST',
    path: '/v1/completions',
    tag: 'Chat',
    summary: "Completes a prompt in the format of OpenAI's legacy API.",
    description: `The prompt is one string and becomes the message of a user. Several prompts, tokens, \`suffix\`, \`echo\`, \`best_of\`
and \`logprobs\` are refused by name. Without \`max_tokens\` the model decides where to end.`,
    access: 'key',
    parameters,
    body: {
      [json]: {
        schema: z.looseObject({ model: z.string(), prompt: z.string() }),
        examples: { plain: { summary: 'A question', value: { model: 'sandbox-chat', prompt: question } } },
      },
    },
    answers: {
      200: {
        description: 'The completion, complete or streamed.',
        headers: servedHeaders,
        content: {
          [json]: { schema: textCompletion },
          'text/event-stream': { schema: textCompletion, events: true },
        },
      },
    },
    failures: serving,
  },
];
