import { isPlainObject, type PlainObject } from '../plain-object.ts';
import { refuseMember } from '../refuse-member.ts';
import { type ResponsesItem, responsesItemSchema } from './item-schema.ts';
import type { ListedItem } from './listed-items.ts';
import type { ResponsesRequest } from './request-schema.ts';

/** An item of a conversation, and its path in the request for errors. */
export interface PlacedItem {
  item: ResponsesItem;
  path: string;
}

/** The response that a request continues; `undefined` for any body that names none. */
export function previousResponseOf(body: unknown): string | undefined {
  const id = isPlainObject(body) ? body.previous_response_id : undefined;
  return typeof id === 'string' && id !== '' ? id : undefined;
}

interface PlacedBefore {
  earlier: readonly ListedItem[];
  /** The conversation that they are of; else a response that the request continues. */
  conversation?: string | undefined;
}

/**
 * The items of a request behind those of the responses that it continues. Throws `invalid_parameters` for an earlier item
 * that only its vendor understands.
 */
export function conversationOf(own: readonly ResponsesItem[], { earlier, conversation }: PlacedBefore): PlacedItem[] {
  const path = conversation === undefined ? 'previous_response_id' : 'conversation';
  return [
    ...earlier.map((item) => ({ item: readEarlier(item, path), path })),
    ...own.map((item, index) => ({ item, path: `input[${index}]` })),
  ];
}

function readEarlier(item: ListedItem, path: string): ResponsesItem {
  const { success, data, error } = responsesItemSchema.safeParse(item);
  return success ? data : refuseMember(path, error.issues[0]?.message ?? 'the item is unknown');
}

/** A text is the message of a user. */
export const inputItems = ({ input }: ResponsesRequest): readonly ResponsesItem[] =>
  typeof input === 'string' ? [{ type: 'message', role: 'user', content: input }] : input;

/** The same for a body of any kind. */
export function itemsOfBody({ input }: PlainObject): readonly PlainObject[] {
  if (typeof input === 'string') return [{ type: 'message', role: 'user', content: input }];
  return Array.isArray(input) ? input.filter(isPlainObject) : [];
}

/** Items that were stored as JSON; `undefined` for any other value. */
export const readStoredItems = (value: unknown): ListedItem[] | undefined =>
  Array.isArray(value) && value.every(isListed) ? value : undefined;

const isListed = (item: unknown): item is ListedItem => isPlainObject(item) && typeof item.id === 'string';
