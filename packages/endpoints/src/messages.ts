import { z } from 'zod';
import { chatHeaders } from './chat-headers.ts';
import { eventStream, json } from './content-types.ts';
import { countFailures, counting } from './counting.ts';
import type { EndpointDescription } from './description.ts';

const members = { model: z.string().min(1), messages: z.array(z.looseObject({ role: z.string() })) };

/** What every lane needs: a vendor with this API may get more than can be translated, as it arrived. */
export const messagesOutline = z
  .looseObject({ ...members, max_tokens: z.int() })
  .describe("The members of Anthropic's Messages API.");

export const messagesCountOutline = z.looseObject(members);

const answer = z.looseObject({ id: z.string(), type: z.literal('message'), content: z.array(z.unknown()) });
const event = z.looseObject({ type: z.string() });

const messages = [{ role: 'user', content: 'What is a tallyport?' }];
const examples = { plain: { summary: 'A question', value: { model: 'sandbox-chat', max_tokens: 200, messages } } };

export const messagesDescription: EndpointDescription = {
  id: 'createMessage',
  tag: 'Messages',
  summary: "Completes a chat in the format of Anthropic's Messages API.",
  description: `For the Anthropic SDKs and Claude Code, with every chat model. Requests to Anthropic itself, \`anthropic-beta\` included, and its responses are passed on unchanged.
For other providers, members that a chat request cannot express, such as server tools, are refused by name. Errors have Anthropic's form.`,
  headers: chatHeaders,
  body: { [json]: { schema: messagesOutline, examples } },
  answers: {
    200: {
      description: 'The message, complete or streamed.',
      headers: ['X-Tallyport-Lane'],
      content: { [json]: { schema: answer }, [eventStream]: { schema: event, events: true } },
    },
  },
  failures: ['thread_not_found'],
};

export const messagesCountDescription: EndpointDescription = {
  id: 'countMessageTokens',
  tag: 'Messages',
  summary: 'Counts the tokens of a message request.',
  description: counting.description,
  body: { [json]: { schema: messagesCountOutline, examples } },
  answers: {
    200: { ...counting.answer, content: { [json]: { schema: z.object({ input_tokens: z.int() }) } } },
  },
  failures: countFailures,
};
