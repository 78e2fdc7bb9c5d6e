import { readStoredItems, responseOfItem } from '@tallyport/dialects';
import type { Store } from '@tallyport/store';
import { accountHash } from '../account-hash.ts';
import { inBatches } from './in-batches.ts';

/** A response as it is stored. */
interface NamedResponse {
  id: string;
  response: object;
}

/** Finds the responses of items that a vendor wrote: their ids do not name a response. */
interface ItemNames {
  /** What the store needs for them. */
  bytesOf(named: NamedResponse): number;
  /** `false` unless all are certainly stored. */
  add(accountId: string, named: NamedResponse): Promise<boolean>;
  /** The name under which the response of an item is stored. */
  nameOf(accountId: string, itemId: string): string;
  remove(accountId: string, named: NamedResponse): void;
}

/** For what has no items of its own. */
export const noItemNames: ItemNames = {
  bytesOf: () => 0,
  add: () => Promise.resolve(true),
  nameOf,
  remove() {},
};

/** Roughly. */
const entryBytes = 256;

export function createItemNames(store: Pick<Store, 'set' | 'delete'>, ttlMs: number): ItemNames {
  return {
    bytesOf: (named) => foreignItems(named).length * entryBytes,
    async add(accountId, named) {
      const value = Buffer.from(named.id);
      const results = await inBatches(foreignItems(named), (item) => store.set(nameOf(accountId, item), value, ttlMs));
      return results.every((result) => result === 'stored');
    },
    nameOf,
    remove(accountId, named) {
      for (const item of foreignItems(named)) void store.delete(nameOf(accountId, item));
    },
  };
}

function foreignItems({ id, response }: NamedResponse): string[] {
  const output = 'output' in response ? (readStoredItems(response.output) ?? []) : [];
  return output.map((item) => item.id).filter((item) => responseOfItem(item) !== id);
}

function nameOf(accountId: string, itemId: string): string {
  return `response-item:${accountHash(accountId, itemId)}`;
}
