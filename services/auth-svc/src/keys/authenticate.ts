import type { Caller } from '@tallyport/contracts';
import type { Database } from '@tallyport/database';
import { callerOf } from '../callers/caller-of.ts';
import { findKey, findKeyById } from './find-key.ts';

/** Returns the caller with this key; `null` if it is unknown, revoked or expired, or its account is suspended. */
export async function authenticate({ kysely }: Database, keyHash: string): Promise<Caller | null> {
  const key = await findKey(kysely, keyHash);
  return key === undefined ? null : callerOf(key);
}

/** Returns the caller with the key of this id, as above. */
export async function callerOfKey({ kysely }: Database, keyId: string): Promise<Caller | null> {
  const key = await findKeyById(kysely, keyId);
  return key === undefined ? null : callerOf(key);
}
