import { isPlainObject } from '../plain-object.ts';
import { refuseMember } from '../refuse-member.ts';
import { typeOfItem } from './item-schema.ts';
import type { ListedItem } from './listed-items.ts';

/** An entry of `input` that stands for an earlier item. */
export interface ItemReference {
  id: string;
  /** Its place in the input. */
  at: number;
}

/** The references of any body. Throws `invalid_parameters` for one without an id, or for a second one to an item. */
export function referencesOf(body: unknown): ItemReference[] {
  const places = new Map<string, number>();
  for (const [at, item] of inputOf(body).entries()) {
    if (!isPlainObject(item) || typeOfItem(item) !== 'item_reference') continue;
    const { id } = item;
    if (typeof id !== 'string') refuseMember(`input[${at}].id`, 'must be the id of an item');
    const earlier = places.get(id);
    // A short request must not become a chat of any size.
    if (earlier !== undefined) refuseMember(`input[${at}].id`, `the item is already at input[${earlier}]`);
    places.set(id, at);
  }
  return [...places].map(([id, at]) => ({ id, at }));
}

/** The body, with items in the places of its references. */
export const withItems = (body: unknown, items: ReadonlyMap<number, ListedItem>): unknown =>
  items.size === 0 ? body : { ...Object(body), input: inputOf(body).map((item, at) => items.get(at) ?? item) };

const inputOf = (body: unknown): readonly unknown[] =>
  isPlainObject(body) && Array.isArray(body.input) ? body.input : [];
