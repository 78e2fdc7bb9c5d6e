import { type ItemReference, type ListedItem, referencesOf, responseOfItem } from '@tallyport/dialects';
import { type ConversationBounds, mostResponses } from './conversation.ts';
import type { StoredTexts } from './guard-stored.ts';
import { inBatches } from './in-batches.ts';
import { itemNotFound, referencesTooLarge, tooManyReferences } from './refusals.ts';
import type { ResponseOwner } from './stored-responses.ts';

/** The stored items that a request refers to, by their places in its input. */
export async function referencedItems(
  body: unknown,
  owner: ResponseOwner,
  { stored, maxBodyBytes, budget, guard }: ConversationBounds,
): Promise<Map<number, ListedItem>> {
  const found = await inBatches(referencesOf(body), async (reference) => {
    const response = responseOfItem(reference.id) ?? (await stored.responseOf(owner, reference.id));
    return { reference, response: response ?? notFound(reference) };
  });
  const byResponse = Map.groupBy(found, ({ response }) => response);
  if (byResponse.size > mostResponses) throw tooManyReferences(mostResponses);
  const lease = budget.lease();
  let bytes = 0;
  const read = async ([response, references]: [string, { reference: ItemReference }[]]) => {
    const record = await stored.find(owner, response);
    bytes += record?.head.bytes ?? 0;
    if (bytes > maxBodyBytes) throw referencesTooLarge(maxBodyBytes);
    lease.take(record?.head.bytes ?? 0);
    return itemsWith(new Set(references.map(({ reference }) => reference.id)), await record?.read());
  };
  try {
    const responses = await guard(await inBatches([...byResponse], read));
    const entries = [...byResponse.values()].map((references, at) => itemsAt(references, responses[at]));
    return new Map(entries.flat());
  } finally {
    lease.release();
  }
}

/** Only what is referred to is inspected. */
const itemsWith = (ids: ReadonlySet<string>, { input, output }: StoredTexts = noTexts): StoredTexts => ({
  input: input.filter(({ id }) => ids.has(id)),
  output: output.filter(({ id }) => ids.has(id)),
});

const noTexts: StoredTexts = { input: [], output: [] };

function itemsAt(
  references: readonly { reference: ItemReference }[],
  { input, output }: StoredTexts = noTexts,
): [number, ListedItem][] {
  const items = new Map([...input, ...output].map((item) => [item.id, item]));
  return references.map(({ reference }) => [reference.at, items.get(reference.id) ?? notFound(reference)]);
}

function notFound(reference: ItemReference): never {
  throw itemNotFound(reference);
}
