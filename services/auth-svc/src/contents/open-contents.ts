import type { Caller } from '@tallyport/contracts';
import type { Database } from '@tallyport/database';
import type { Secrets } from '@tallyport/management-server';
import { type ContentKeys, createContentKeys } from './content-keys.ts';
import { asInstallationAllows, checkMayKeep } from '../callers/content-log-setting.ts';
import { createContentStore, type StoreContents } from './store-contents.ts';

/** Prompts and answers of accounts that keep them. */
export interface OpenedContents {
  keys: ContentKeys;
  store: StoreContents;
  /** The caller as other services get it. */
  allowed(caller: Caller): Caller;
  /** Throws if no account of this installation can keep any. */
  checkMayKeep(): void;
}

interface ContentNeeds {
  database: Database;
  secrets: Secrets;
  /** LOG_CONTENT. */
  logContent: boolean;
}

export function openContents({ database, secrets, logContent }: ContentNeeds): OpenedContents {
  const keys = createContentKeys(secrets);
  return {
    keys,
    store: createContentStore(database, keys),
    allowed: (caller) => asInstallationAllows(logContent, caller),
    checkMayKeep: () => checkMayKeep(logContent, secrets.obstacle()),
  };
}
