import { chmod, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { checkKey, hashKey, makeKey } from '@tallyport/contracts';
import type { Database } from '@tallyport/database';
import { createKey, operator } from './create-key.ts';

interface LocalKey {
  key: string;
  file: string;
  /** False if the key is from an earlier start. */
  created: boolean;
}

/**
 * Returns the key of an embedded installation. It is created once and kept in `<directory>/api-key`, readable by its
 * owner only, so that every start can show it. A revoked or damaged key is replaced. The schema must be up to date.
 */
export async function ensureLocalKey(database: Database, directory: string): Promise<LocalKey> {
  const file = join(directory, 'api-key');
  const kept = await readKey(file);
  const state = kept === undefined ? 'unusable' : await stateOf(database, kept);
  if (kept !== undefined && state !== 'unusable') {
    await chmod(file, 0o600);
    if (state === 'missing') await createKey(database, operator, { name: 'local', key: kept });
    return { key: kept, file, created: false };
  }
  const key = makeKey();
  // The file is written first: a key without a file could never be shown, while a file without a key is repaired at the
  // next start.
  await writeFile(`${file}.new`, `${key}\n`, { mode: 0o600, flush: true });
  await rename(`${file}.new`, file);
  await createKey(database, operator, { name: 'local', key });
  return { key, file, created: true };
}

async function readKey(file: string): Promise<string | undefined> {
  const text = await readFile(file, 'utf8').catch(emptyWhenMissing);
  return checkKey(text.trim()) ? text.trim() : undefined;
}

function emptyWhenMissing(error: unknown): string {
  if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return '';
  throw error;
}

async function stateOf({ kysely }: Database, key: string): Promise<'working' | 'missing' | 'unusable'> {
  const query = kysely.selectFrom('api_keys').select(['revoked_at', 'expires_at']).where('key_hash', '=', hashKey(key));
  const row = await query.executeTakeFirst();
  // The key is restored only if the database has no keys at all. If others exist, it was rotated.
  if (row === undefined) return (await anyKey(kysely)) ? 'unusable' : 'missing';
  return row.revoked_at || row.expires_at ? 'unusable' : 'working';
}

async function anyKey(kysely: Database['kysely']): Promise<boolean> {
  return (await kysely.selectFrom('api_keys').select('id').limit(1).executeTakeFirst()) !== undefined;
}
