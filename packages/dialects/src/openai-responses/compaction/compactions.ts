import { isPlainObject, type PlainObject } from '../../plain-object.ts';
import { isSealedHere } from '../../sealed-state.ts';
import { typeOfItem } from '../item-schema.ts';
import type { EarlierItems } from '../expanded-input.ts';
import type { ListedItem } from '../listed-items.ts';
import { summaryOpening } from './instruction.ts';

/** A compaction that was made here, in the input of a request. */
interface PlacedCompaction {
  sealed: string;
  /** Its place in the input. */
  at: number;
}

/** `context_compaction` is Codex's own name. */
const kinds: ReadonlySet<unknown> = new Set(['compaction', 'context_compaction']);

const isCompaction = (item: PlainObject): boolean => kinds.has(typeOfItem(item));

/** The sealed summary of an item; `undefined` for all other items, and for those that another service made. */
export function sealedSummaryOf(item: PlainObject): string | undefined {
  const { encrypted_content: sealed } = item;
  return isCompaction(item) && typeof sealed === 'string' && isSealedHere(sealed) ? sealed : undefined;
}

/** Those of any body. */
export function compactionsOf(body: unknown): PlacedCompaction[] {
  return inputOf(body).flatMap((item, at) => {
    const sealed = isPlainObject(item) ? sealedSummaryOf(item) : undefined;
    return sealed === undefined ? [] : { sealed, at };
  });
}

const openedId = 'msg_summary_1';

/** What a model reads in the place of a compaction. Its id is one of ours, which no vendor gets. */
export const openedCompaction = (summary: string): ListedItem => ({
  type: 'message',
  id: openedId,
  role: 'user',
  content: [{ type: 'input_text', text: `${summaryOpening}\n\n${summary}` }],
});

/** Items after the last compaction, which stands for those before it; what the user said stays. */
export function sinceCompaction<Item extends PlainObject>(items: readonly Item[]): Item[] {
  const at = items.findLastIndex(isCompaction);
  return at < 0 ? [...items] : [...items.slice(0, at).filter(isSaidByUser), ...items.slice(at)];
}

/** Not what a compaction was opened to. */
export const isSaidByUser = (item: PlainObject): boolean =>
  typeOfItem(item) === 'message' && item.role === 'user' && item.id !== openedId;

/** The request without the item that asks for a compaction. It must be the last one. */
export function readTrigger(body: unknown): { body: unknown; isTriggered: boolean } {
  const items = inputOf(body);
  const last = items.at(-1);
  const isTriggered = isPlainObject(last) && typeOfItem(last) === 'compaction_trigger';
  return { body: isTriggered ? { ...Object(body), input: items.slice(0, -1) } : body, isTriggered };
}

export const asksCompaction = (body: unknown): boolean => readTrigger(body).isTriggered;

/** The items of a request that is only explained: a sealed text is about as long as its summary. */
export const statelessItems = (body: unknown): EarlierItems => ({
  earlier: [],
  referenced: new Map(),
  opened: new Map(compactionsOf(body).map(({ sealed, at }) => [at, openedCompaction(sealed)])),
});

const inputOf = (body: unknown): readonly unknown[] =>
  isPlainObject(body) && Array.isArray(body.input) ? body.input : [];
