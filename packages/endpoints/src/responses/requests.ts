import { z } from 'zod';
import { chatHeaders } from '../chat-headers.ts';
import { eventStream, json } from '../content-types.ts';
import { counting } from '../counting.ts';
import type { EndpointDescription } from '../description.ts';
import { response, storedFailures } from './stored.ts';

const input = z.union([z.string(), z.array(z.unknown())]);

/** What every lane needs: a vendor with this API may get more than can be translated, as it arrived. */
export const responsesOutline = z
  .looseObject({ model: z.string().min(1), input })
  .describe("The members of OpenAI's Responses API.");

const event = z.looseObject({ type: z.string() });
const background = {
  summary: 'Made in the background',
  value: { model: 'sandbox-chat', input: 'Hello', background: true },
};
const examples = {
  plain: { summary: 'A question', value: { model: 'sandbox-chat', input: 'What is a tallyport?' } },
};

export const responsesDescription: EndpointDescription = {
  id: 'createResponse',
  tag: 'Responses',
  summary: "Completes a chat in the format of OpenAI's Responses API.",
  description: `For Codex and the defaults of OpenAI's SDKs, with every chat model. A response is stored unless \`store\` is false, and
\`previous_response_id\` continues it. \`store\` of the response says whether it was stored. With \`conversation\`, the items of the
conversation precede the input, and the turn's items are added to it. The path is also a WebSocket, on which each message is a
request. \`prompt\` is refused by name. With \`background\`, the response is made without its client. Reasoning
state of a vendor travels in \`encrypted_content\`.`,
  headers: chatHeaders,
  body: { [json]: { schema: responsesOutline, examples: { ...examples, background } } },
  answers: {
    200: {
      description: 'The response, complete or streamed.',
      content: { [json]: { schema: response }, [eventStream]: { schema: event, events: true } },
    },
  },
  failures: ['not_found', 'previous_response_not_found'],
};

export const compactDescription: EndpointDescription = {
  id: 'compactResponse',
  tag: 'Responses',
  summary: 'Compacts a conversation: its answer replaces the conversation in later requests.',
  description: `The answer has what the user said and one item that stands for the rest. OpenAI's own models make one that only OpenAI
can read. Every other model summarizes the conversation, and the item has the summary for keys of this account and project
only; later requests with it work with every model that chats.`,
  body: {
    [json]: {
      schema: z.looseObject({ model: z.string().min(1), input: input.optional() }),
      examples: {
        plain: {
          summary: 'A short conversation',
          value: {
            model: 'sandbox-chat',
            input: [
              { role: 'user', content: 'What is a tallyport?' },
              { role: 'assistant', content: 'A gateway.' },
            ],
          },
        },
      },
    },
  },
  answers: {
    200: {
      description: 'The messages of the user and the compacted rest.',
      content: {
        [json]: { schema: z.looseObject({ object: z.literal('response.compaction'), output: z.array(z.unknown()) }) },
      },
    },
  },
  failures: ['previous_response_not_found'],
};

export const responsesCountDescription: EndpointDescription = {
  id: 'countResponseTokens',
  tag: 'Responses',
  summary: 'Counts the input tokens of a response. A continued conversation counts.',
  description: counting.description,
  body: { [json]: { schema: responsesOutline, examples } },
  answers: {
    200: {
      ...counting.answer,
      content: { [json]: { schema: z.object({ object: z.literal('response.input_tokens'), input_tokens: z.int() }) } },
    },
  },
  failures: [
    ...storedFailures,
    ...(['invalid_json', 'invalid_parameters', 'model_not_found', 'previous_response_not_found'] as const),
  ],
};
