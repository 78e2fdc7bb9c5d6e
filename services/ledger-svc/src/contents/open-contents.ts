import type { Database } from '@tallyport/database';
import type { Secrets } from '@tallyport/management-server';
import { type ContentKeys, createContentKeys } from './content-keys.ts';
import { createContentStore, type StoreContents } from './store-contents.ts';

/** Prompts and answers of accounts that keep them. */
export interface OpenedContents {
  keys: ContentKeys;
  store: StoreContents;
}

interface ContentTools {
  database: Database;
  secrets: Secrets;
}

export function openContents({ database, secrets }: ContentTools): OpenedContents {
  const keys = createContentKeys(secrets);
  return {
    keys,
    store: createContentStore(database, keys),
  };
}
