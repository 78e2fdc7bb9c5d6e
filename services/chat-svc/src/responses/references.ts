import { type ItemReference, referencesOf, responseOfItem, withItems } from '@switchyard/dialects';
import { type ConversationBounds, itemsOf, mostResponses } from './conversation.ts';
import { inBatches } from './in-batches.ts';
import { itemNotFound, referencesTooLarge, tooManyReferences } from './refusals.ts';

/** The body of a request, with the stored items in the places of its references. */
export async function withReferencedItems(
  body: unknown,
  accountId: string,
  { stored, maxBodyBytes, budget }: ConversationBounds,
): Promise<unknown> {
  const byResponse = Map.groupBy(referencesOf(body), ({ id }) => responseOfItem(id));
  const [unknown] = byResponse.get(undefined) ?? [];
  if (unknown !== undefined) notFound(unknown);
  if (byResponse.size > mostResponses) throw tooManyReferences(mostResponses);
  const lease = budget.lease();
  let bytes = 0;
  const read = async ([response = '', references]: [string | undefined, ItemReference[]]) => {
    const record = await stored.find(accountId, response);
    bytes += record?.head.bytes ?? 0;
    if (bytes > maxBodyBytes) throw referencesTooLarge(maxBodyBytes);
    lease.take(record?.head.bytes ?? 0);
    const found = await record?.read();
    const items = new Map(found === undefined ? [] : itemsOf(found).map((item) => [item.id, item]));
    return references.map((reference) => [reference.at, items.get(reference.id) ?? notFound(reference)] as const);
  };
  try {
    const items = await inBatches([...byResponse], read);
    return withItems(body, new Map(items.flat()));
  } finally {
    lease.release();
  }
}

function notFound(reference: ItemReference): never {
  throw itemNotFound(reference);
}
