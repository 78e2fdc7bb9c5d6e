import { completionRequestSchema } from '@tallyport/dialects';
import { z } from 'zod';
import { chatHeaders } from '../chat-headers.ts';
import { eventStream, json } from '../content-types.ts';
import type { EndpointDescription } from '../description.ts';

const answer = z.looseObject({
  id: z.string(),
  object: z.literal('text_completion'),
  choices: z.array(z.unknown()),
});

const example = { model: 'sandbox-chat', prompt: 'What is a tallyport?' };

export const textCompletionsDescription: EndpointDescription = {
  id: 'createCompletion',
  tag: 'Chat',
  summary: "Completes a prompt in the format of OpenAI's legacy API.",
  description: `The prompt is one string and becomes the message of a user. Several prompts, tokens, \`suffix\`, \`echo\`, \`best_of\`
and \`logprobs\` are refused by name. Without \`max_tokens\` the model decides where to end.`,
  headers: chatHeaders,
  body: {
    [json]: { schema: completionRequestSchema, examples: { plain: { summary: 'A question', value: example } } },
  },
  answers: {
    200: {
      description: 'The completion, complete or streamed.',
      content: { [json]: { schema: answer }, [eventStream]: { schema: answer, events: true } },
    },
  },
};
