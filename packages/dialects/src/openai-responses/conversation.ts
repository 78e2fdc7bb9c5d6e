import { z } from 'zod';
import { isPlainObject } from '../plain-object.ts';
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

/** The items of a request behind those of the responses that it continues. */
export function conversationOf(own: readonly ResponsesItem[], earlier: readonly ResponsesItem[]): PlacedItem[] {
  return [
    ...earlier.map((item) => ({ item, path: 'previous_response_id' })),
    ...own.map((item, index) => ({ item, path: `input[${index}]` })),
  ];
}

/** A text is the message of a user. */
export const inputItems = ({ input }: ResponsesRequest): readonly ResponsesItem[] =>
  typeof input === 'string' ? [{ type: 'message', role: 'user', content: input }] : input;

const itemsSchema = z.array(responsesItemSchema);

/** Items that were stored as JSON; `undefined` for any other value. */
export function readStoredItems(value: unknown): ListedItem[] | undefined {
  const items = itemsSchema.safeParse(value).data;
  return items?.every(isListed) ? items : undefined;
}

const isListed = (item: ResponsesItem): item is ListedItem => typeof item.id === 'string';
