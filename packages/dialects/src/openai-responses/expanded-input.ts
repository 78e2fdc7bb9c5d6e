import { listElements, memberValue, replaceMembers } from '@tallyport/wire';
import { isPlainObject, type PlainObject } from '../plain-object.ts';
import { responseOfItem } from './item-ids.ts';
import { typeOfItem } from './item-schema.ts';
import type { ListedItem } from './listed-items.ts';
import { isSealedHere } from '../sealed-state.ts';

/** Stored items of a request, which are not in its body. */
export interface EarlierItems {
  /** Those of the responses that the request continues, in order. */
  earlier: readonly ListedItem[];
  /** Those that its input refers to, by their places. */
  referenced: ReadonlyMap<number, ListedItem>;
  /** What a model reads in the places of compactions. */
  opened?: ReadonlyMap<number, ListedItem> | undefined;
}

/** What stands in the places of references and compactions. */
export const placedItems = ({ referenced, opened = none }: EarlierItems): ReadonlyMap<number, ListedItem> =>
  new Map([...referenced, ...opened]);

const none: ReadonlyMap<number, ListedItem> = new Map();

/** A body as bytes, and parsed. */
interface ReadBody {
  body: Buffer;
  members: PlainObject;
}

/**
 * The body with its conversation in its input, so that the vendor needs no ids of ours, and without reasoning of other
 * vendors' models. The client's own items keep every byte.
 */
export function withEarlierItems({ body, bytes }: { body: PlainObject; bytes: Buffer }, items: EarlierItems): ReadBody {
  const { earlier } = items;
  const placed = placedItems(items);
  const arrived = itemsIn(body.input);
  const isWhole = body.previous_response_id == null && placed.size === 0;
  if (isWhole && earlier.length === 0 && !arrived.some(isSealedReasoning)) return { body: bytes, members: body };
  const before = earlier.filter(isReadableReasoning).map((item) => JSON.stringify(withoutOwnId(item)));
  const own = inputElements(bytes).flatMap((element, at) => {
    const item = placed.get(at);
    if (item === undefined) return isSealedReasoning(arrived[at]) ? [] : element.toString();
    return isReadableReasoning(item) ? JSON.stringify(withoutOwnId(item)) : [];
  });
  const input = `[${[...before, ...own].join()}]`;
  const expanded = replaceMembers(bytes, [
    { path: ['input'], value: input },
    { path: ['previous_response_id'], value: 'null' },
  ]);
  return { body: expanded, members: { ...body, input: JSON.parse(input), previous_response_id: null } };
}

function inputElements(bytes: Buffer): Buffer[] {
  const input = memberValue(bytes, 'input') ?? Buffer.from('[]');
  if (input[0] !== quote) return listElements(input);
  return [Buffer.concat([Buffer.from('{"type":"message","role":"user","content":'), input, Buffer.from('}')])];
}

const quote = 0x22;

const itemsIn = (input: unknown): readonly unknown[] => (Array.isArray(input) ? input : []);

/** Reasoning of another vendor's model, which this gateway gave to the client. */
export const isSealedReasoning = (item: unknown): boolean =>
  isPlainObject(item) &&
  typeOfItem(item) === 'reasoning' &&
  typeof item.encrypted_content === 'string' &&
  isSealedHere(item.encrypted_content);

/** The vendor stores nothing, so it can use only reasoning that is in the request, and that it wrote itself. */
export function isReadableReasoning(item: PlainObject): boolean {
  if (typeOfItem(item) !== 'reasoning') return true;
  const { id, encrypted_content: content } = item;
  return typeof content === 'string' && content !== '' ? !isSealedHere(content) : id == null;
}

/** The vendor knows none of our ids, and checks their form. */
function withoutOwnId({ id, ...item }: ListedItem): PlainObject {
  return responseOfItem(id) === undefined ? { id, ...item } : item;
}
