import { z } from 'zod';
import { parsedBody } from '../parsed-body.ts';
import { isPlainObject, type PlainObject } from '../plain-object.ts';
import { refuseMember, refuseUnsupportedMember } from '../refuse-member.ts';
import { isVendorKind, responsesItemSchema, typeOfItem } from './item-schema.ts';
import { type ListedItem, listedItems } from './listed-items.ts';
import { namesStored } from './native.ts';

/** In one request. */
const mostItems = 20;

/** These only mean something in a request for a response. */
const ofRequests: ReadonlySet<unknown> = new Set(['compaction_trigger', 'item_reference']);

/**
 * The conversation that a request for a response belongs to; `undefined` for any body that names none. Throws
 * `invalid_parameters` for a value that is no id.
 */
export function conversationIdOf(body: unknown): string | undefined {
  const named = isPlainObject(body) ? body.conversation : undefined;
  if (named == null) return undefined;
  const id = isPlainObject(named) ? named.id : named;
  if (typeof id !== 'string' || id === '') refuseMember('conversation', 'must be the id of a conversation');
  if (isPlainObject(body) && body.previous_response_id != null) {
    refuseMember('conversation', 'must not be sent together with previous_response_id');
  }
  return id;
}

const itemsSchema = z.object({
  items: z
    .array(responsesItemSchema, 'must be an array of items')
    .max(mostItems, `must have at most ${mostItems} items`),
});

/** Items that a client adds to a conversation. Throws `invalid_parameters` with the path of the first wrong one. */
export function readConversationItems(value: unknown, newId: () => string): ListedItem[] {
  const given: readonly unknown[] = Array.isArray(value) ? value : [];
  parsedBody(itemsSchema, { items: Array.isArray(value) ? given.map(asChecked) : value });
  const items = given.filter(isPlainObject);
  for (const [at, item] of items.entries()) refuseForeign(item, `items[${at}]`);
  return listedItems(items, newId);
}

/** Items of a vendor's own kinds are kept as they are: only the vendor understands them. */
const asChecked = (item: unknown): unknown =>
  isPlainObject(item) && isVendorKind(item.type) ? { type: 'web_search_call' } : item;

function refuseForeign(item: PlainObject, path: string): void {
  if (ofRequests.has(typeOfItem(item))) refuseMember(`${path}.type`, 'only the input of a response has such an item');
  // Later requests may bring it to a vendor, whose account belongs to the gateway.
  if (namesStored(item))
    refuseUnsupportedMember(path, 'must have no ids of files or of other things that a vendor stores');
}

/** Throws `invalid_parameters` unless it has at most 16 members, with names of up to 64 and texts of up to 512 characters. */
export function readConversationMetadata(value: unknown): Record<string, string> {
  if (value == null) return {};
  const entries = isPlainObject(value) ? Object.entries(value) : undefined;
  if (entries === undefined || entries.length > 16)
    return refuseMember('metadata', 'must be an object of at most 16 members');
  return Object.fromEntries(
    entries.map(([name, text]) => {
      const isFine = name.length <= 64 && typeof text === 'string' && text.length <= 512;
      if (!isFine) refuseMember('metadata', 'its names have up to 64 characters, and its texts up to 512');
      return [name, text];
    }),
  );
}
