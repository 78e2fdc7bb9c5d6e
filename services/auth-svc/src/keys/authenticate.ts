import type { Caller } from '@tallyport/contracts';
import type { Database } from '@tallyport/database';
import { callerOf } from '../callers/caller-of.ts';
import { findKey } from './find-key.ts';

/** Returns the caller with this key; `null` if it is unknown, revoked or expired, or its account is suspended. */
export async function authenticate({ kysely }: Database, keyHash: string): Promise<Caller | null> {
  const key = await findKey(kysely, keyHash);
  return key === undefined ? null : callerOf(key);
}
