import { type ItemReference, type ListedItem, referencesOf, responseOfItem } from '@tallyport/dialects';
import { type ConversationBounds, itemsOf, mostResponses } from './conversation.ts';
import { inBatches } from './in-batches.ts';
import { itemNotFound, referencesTooLarge, tooManyReferences } from './refusals.ts';

/** The stored items that a request refers to, by their places in its input. */
export async function referencedItems(
  body: unknown,
  accountId: string,
  { stored, maxBodyBytes, budget }: ConversationBounds,
): Promise<Map<number, ListedItem>> {
  const found = await inBatches(referencesOf(body), async (reference) => {
    const response = responseOfItem(reference.id) ?? (await stored.responseOf(accountId, reference.id));
    return { reference, response: response ?? notFound(reference) };
  });
  const byResponse = Map.groupBy(found, ({ response }) => response);
  if (byResponse.size > mostResponses) throw tooManyReferences(mostResponses);
  const lease = budget.lease();
  let bytes = 0;
  const read = async ([response, references]: [string, { reference: ItemReference }[]]) => {
    const record = await stored.find(accountId, response);
    bytes += record?.head.bytes ?? 0;
    if (bytes > maxBodyBytes) throw referencesTooLarge(maxBodyBytes);
    lease.take(record?.head.bytes ?? 0);
    const body = await record?.read();
    const items = new Map(body === undefined ? [] : itemsOf(body).map((item) => [item.id, item]));
    return references.map(({ reference }) => [reference.at, items.get(reference.id) ?? notFound(reference)] as const);
  };
  try {
    const items = await inBatches([...byResponse], read);
    return new Map(items.flat());
  } finally {
    lease.release();
  }
}

function notFound(reference: ItemReference): never {
  throw itemNotFound(reference);
}
