import type { ErrorCode } from '@tallyport/contracts';
import { z } from 'zod';
import { onlyAnswer } from '../only-answer.ts';
import { json } from '../content-types.ts';
import type { EndpointDescription, Parameter } from '../description.ts';
import { itemPageSchema, pageParameters, storedFailures } from './stored.ts';

const tag = 'Conversations';
const id: Parameter = { name: 'id', in: 'path', description: 'The id of a conversation.', schema: z.string() };
const itemId: Parameter = { name: 'item_id', in: 'path', description: 'The id of an item.', schema: z.string() };

const metadata = z.record(z.string(), z.string());
const items = z.array(z.looseObject({ type: z.string().optional() })).max(20);
const item = z.looseObject({ id: z.string(), type: z.string() });
const conversation = z.object({
  id: z.string(),
  object: z.literal('conversation'),
  created_at: z.int(),
  metadata,
});

const changeFailures: readonly ErrorCode[] = [
  ...storedFailures,
  'conflict',
  'invalid_json',
  'invalid_parameters',
  'request_too_large',
  'unsupported_parameter',
];
const said = { type: 'message', role: 'user', content: 'My name is Ada.' };

export const conversationCreationDescription: EndpointDescription = {
  id: 'createConversation',
  tag,
  summary: 'Creates a conversation, for the `conversation` member of responses.',
  description: `Keys of other accounts and projects do not know it. It is stored for \`RESPONSES_DAYS\` after its last change.`,
  body: {
    [json]: {
      schema: z.looseObject({ items: items.optional(), metadata: metadata.optional() }),
      examples: { plain: { summary: 'With a first item', value: { items: [said] } } },
    },
  },
  answers: onlyAnswer('The conversation.', conversation),
  failures: changeFailures,
};

export const conversationDescription: EndpointDescription = {
  id: 'getConversation',
  tag,
  summary: 'Returns a conversation without its items.',
  parameters: [id],
  answers: onlyAnswer('The conversation.', conversation),
  failures: storedFailures,
};

export const conversationUpdateDescription: EndpointDescription = {
  id: 'updateConversation',
  tag,
  summary: 'Replaces the metadata of a conversation.',
  parameters: [id],
  body: { [json]: { schema: z.looseObject({ metadata }) } },
  answers: onlyAnswer('The conversation.', conversation),
  failures: changeFailures,
};

export const conversationDeletionDescription: EndpointDescription = {
  id: 'deleteConversation',
  tag,
  summary: 'Deletes a conversation with its items. Responses that were turns of it stay.',
  parameters: [id],
  answers: onlyAnswer(
    'It is deleted.',
    z.object({ id: z.string(), object: z.literal('conversation.deleted'), deleted: z.literal(true) }),
  ),
  failures: storedFailures,
};

export const itemAdditionDescription: EndpointDescription = {
  id: 'addConversationItems',
  tag,
  summary: 'Adds up to 20 items to the end of a conversation. Items that it has already stay where they are.',
  parameters: [id],
  body: { [json]: { schema: z.looseObject({ items }) } },
  answers: onlyAnswer('The items.', itemPageSchema),
  failures: changeFailures,
};

export const conversationItemsDescription: EndpointDescription = {
  id: 'listConversationItems',
  tag,
  summary: 'Lists the items of a conversation.',
  parameters: [id, ...pageParameters],
  answers: onlyAnswer('One page of items.', itemPageSchema),
  failures: [...storedFailures, 'invalid_parameters'],
};

export const conversationItemDescription: EndpointDescription = {
  id: 'getConversationItem',
  tag,
  summary: 'Returns an item of a conversation.',
  parameters: [id, itemId],
  answers: onlyAnswer('The item.', item),
  failures: storedFailures,
};

export const itemDeletionDescription: EndpointDescription = {
  id: 'deleteConversationItem',
  tag,
  summary: 'Deletes an item of a conversation, and returns the conversation.',
  parameters: [id, itemId],
  answers: onlyAnswer('The conversation.', conversation),
  failures: [...storedFailures, 'conflict', 'request_too_large'],
};
