import type { ErrorCode } from '@tallyport/contracts';
import { z } from 'zod';
import { eventStream, json } from '../content-types.ts';
import type { EndpointDescription, Parameter } from '../description.ts';
import { listPage } from '../list-page.ts';

export const response = z.looseObject({
  id: z.string(),
  object: z.literal('response'),
  output: z.array(z.unknown()),
});

export const storedFailures: readonly ErrorCode[] = [
  'invalid_api_key',
  'not_found',
  'rate_limit_exceeded',
  'unavailable',
];

const id: Parameter = { name: 'id', in: 'path', description: 'The id of a stored response.', schema: z.string() };

export const storedResponseDescription: EndpointDescription = {
  id: 'getResponse',
  tag: 'Responses',
  summary: 'Returns a stored response of the account, or the state of a background response.',
  parameters: [
    id,
    {
      name: 'stream',
      in: 'query',
      description: 'Returns the events of a background response, those so far and those to come.',
      schema: z.boolean().optional(),
    },
    {
      name: 'starting_after',
      in: 'query',
      description: 'With `stream`: the `sequence_number` of the last event that the client has.',
      schema: z.int().optional(),
    },
  ],
  answers: {
    200: {
      description: 'The response as it was sent, or as it is now.',
      content: {
        [json]: { schema: response },
        [eventStream]: { schema: z.looseObject({ type: z.string() }), events: true },
      },
    },
  },
  failures: [...storedFailures, 'invalid_parameters', 'permission_denied'],
};

const deleted = z.object({ id: z.string(), object: z.literal('response'), deleted: z.literal(true) });

export const responseDeletionDescription: EndpointDescription = {
  id: 'deleteResponse',
  tag: 'Responses',
  summary: 'Deletes a stored response. Responses after it in its conversation can no longer be continued.',
  parameters: [id],
  answers: { 200: { description: 'It is deleted.', content: { [json]: { schema: deleted } } } },
  failures: storedFailures,
};

export const itemPageSchema = listPage(z.looseObject({ id: z.string(), type: z.string() }));

export const pageParameters: readonly Parameter[] = [
  { name: 'limit', in: 'query', description: 'Items per page, 1 to 100; 20 when absent.', schema: z.int().optional() },
  {
    name: 'order',
    in: 'query',
    description: '`desc`, the default, begins with the last item.',
    schema: z.enum(['asc', 'desc']).optional(),
  },
  { name: 'after', in: 'query', description: 'The last item of the page before.', schema: z.string().optional() },
];

export const inputItemsDescription: EndpointDescription = {
  id: 'listResponseInputItems',
  tag: 'Responses',
  summary: 'Lists what a stored response answered: its input, and the conversation before it.',
  parameters: [id, ...pageParameters],
  answers: { 200: { description: 'One page of items.', content: { [json]: { schema: itemPageSchema } } } },
  failures: [...storedFailures, 'invalid_parameters', 'request_too_large', 'overloaded'],
};

export const cancellationDescription: EndpointDescription = {
  id: 'cancelResponse',
  tag: 'Responses',
  summary: 'Cancels a background response. One that has ended is returned as it is.',
  parameters: [id],
  answers: { 200: { description: 'The response as it is now.', content: { [json]: { schema: response } } } },
  failures: [...storedFailures, 'invalid_parameters'],
};
