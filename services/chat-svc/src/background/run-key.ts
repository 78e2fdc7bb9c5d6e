import type { Store } from '@tallyport/store';
import { runsUnavailable } from './refusals.ts';
import { keyName, runName } from './run-names.ts';
import { decodeRun } from './run-record.ts';

interface KeyTools {
  store: Pick<Store, 'find' | 'setIfAbsent' | 'setIfOurs'>;
  /** How long a key begins no other run. */
  keyMs: number;
}

interface KeyedRun {
  id: string;
  owner: { accountId: string };
}

/** Names the run that an Idempotency-Key has begun. Throws if another run has the key. */
export async function takeKey(
  { store, keyMs }: KeyTools,
  key: string,
  { id, owner: { accountId } }: KeyedRun,
): Promise<void> {
  const value = Buffer.from(id);
  const first = await store.setIfAbsent(keyName(key), value, keyMs);
  if (first === 'stored') return;
  if (typeof first === 'string') throw runsUnavailable();
  const before = await store.find(runName(accountId, Buffer.from(first.present).toString()));
  if (before === 'unknown' || (before !== 'none' && decodeRun(before) !== undefined)) throw runsUnavailable();
  // Its run was refused, deleted, or has expired.
  const next = await store.setIfOurs(keyName(key), { mark: first.present, value }, keyMs);
  if (next !== 'stored') throw runsUnavailable();
}
