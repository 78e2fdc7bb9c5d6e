/**
 * Ids for the items of one response. Each names its response, so that a reference to an item is found without an index
 * of items.
 */
export function createItemIds(responseId: string): () => string {
  let count = 0;
  return () => `${responseId.slice(responsePrefix.length)}_${(count += 1)}`;
}

/** The response of an item with an id that was made here. */
export function responseOfItem(itemId: string): string | undefined {
  const [, response] = /^[a-z]{1,8}_([0-9a-zA-Z]{1,64})_\d{1,9}$/.exec(itemId) ?? [];
  return response === undefined ? undefined : `${responsePrefix}${response}`;
}

const responsePrefix = 'resp_';
