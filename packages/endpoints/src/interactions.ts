import type { ErrorCode } from '@tallyport/contracts';
import { z } from 'zod';
import { chatHeaders } from './chat-headers.ts';
import { eventStream, json } from './content-types.ts';
import type { EndpointDescription, Parameter } from './description.ts';

/** What every lane needs: Google may get more than can be translated, as it arrived. */
export const interactionsOutline = z
  .looseObject({ model: z.string().min(1), input: z.unknown() })
  .describe("The members of Google's Interactions API.");

const interaction = z.looseObject({ id: z.string(), status: z.string(), steps: z.array(z.unknown()).optional() });
const event = z.looseObject({ event_type: z.string(), event_id: z.string().optional() });

export const interactionsDescription: EndpointDescription = {
  id: 'createInteraction',
  tag: 'Gemini',
  summary: "Completes a chat in the format of Google's Interactions API.",
  description: `For the Google Gen AI SDKs, with every chat model; the key is sent in \`x-goog-api-key\`. Requests for Google itself and its
answers are passed on; for other providers, members that a chat request cannot express, such as tools that Google runs, are
refused by name. An interaction is stored unless \`store\` is false, and \`previous_interaction_id\` continues it; Google
stores nothing. With \`background\`, it is made without its client. \`agent\`, \`webhook_config\` and what is stored with Google are refused by name.`,
  headers: chatHeaders,
  body: {
    [json]: {
      schema: interactionsOutline,
      examples: { plain: { summary: 'A question', value: { model: 'sandbox-chat', input: 'What is a tallyport?' } } },
    },
  },
  answers: {
    200: {
      description: 'The interaction, complete or streamed.',
      headers: ['X-Tallyport-Lane'],
      content: { [json]: { schema: interaction }, [eventStream]: { schema: event, events: true } },
    },
  },
  failures: ['not_found'],
};

const storedFailures: readonly ErrorCode[] = ['invalid_api_key', 'not_found', 'rate_limit_exceeded', 'unavailable'];

const id: Parameter = { name: 'id', in: 'path', description: 'The id of a stored interaction.', schema: z.string() };

export const storedInteractionDescription: EndpointDescription = {
  id: 'getInteraction',
  tag: 'Gemini',
  summary: 'Returns a stored interaction of the account, or the state of a background interaction.',
  parameters: [
    id,
    {
      name: 'include_input',
      in: 'query',
      description: '`true`: with the steps of its request in `input`.',
      schema: z.enum(['true', 'false']).optional(),
    },
    {
      name: 'stream',
      in: 'query',
      description: 'Returns the events of a background interaction, those so far and those to come.',
      schema: z.boolean().optional(),
    },
    {
      name: 'last_event_id',
      in: 'query',
      description: 'With `stream`: the `event_id` of the last event that the client has.',
      schema: z.string().optional(),
    },
  ],
  answers: {
    200: {
      description: 'The interaction as it was sent, or as it is now.',
      content: { [json]: { schema: interaction }, [eventStream]: { schema: event, events: true } },
    },
  },
  failures: [...storedFailures, 'invalid_parameters', 'permission_denied'],
};

export const interactionDeletionDescription: EndpointDescription = {
  id: 'deleteInteraction',
  tag: 'Gemini',
  summary: 'Deletes a stored interaction. Interactions after it in its conversation can no longer be continued.',
  parameters: [id],
  answers: { 200: { description: 'It is deleted.', content: { [json]: { schema: z.object({}) } } } },
  failures: storedFailures,
};

export const interactionCancellationDescription: EndpointDescription = {
  id: 'cancelInteraction',
  tag: 'Gemini',
  summary: 'Cancels a background interaction. One that has ended is returned as it is.',
  parameters: [id],
  answers: { 200: { description: 'The interaction as it is now.', content: { [json]: { schema: interaction } } } },
  failures: [...storedFailures, 'invalid_parameters'],
};
