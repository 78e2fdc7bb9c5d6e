import type { Database } from '@switchyard/database';
import { StartError } from '@switchyard/service-kit';
import type { KeyRing } from './key-ring.ts';
import { Secret } from './secret.ts';

/** Nothing secret: whoever can decrypt it has the right key. */
export const checkPlace = { id: 'check', purpose: 'check' };
const checkText = 'switchyard';

/**
 * Throws StartError when these are not the keys the database was encrypted with; nothing is overwritten then. The first
 * start leaves a value to check the later ones against.
 */
export async function checkMasterKey({ kysely }: Database, ring: KeyRing): Promise<void> {
  const used = await kysely.selectFrom('secrets').select('key_id').distinct().execute();
  const unknown = used.map(({ key_id: keyId }) => keyId).filter((keyId) => !ring.has(keyId));
  if (unknown.length > 0) throw wrongKey(unknown);
  const values = { ...checkPlace, account_id: null, ...ring.seal(new Secret(checkText), checkPlace) };
  // Of several first starts one is first, and the others are checked against it.
  await kysely
    .insertInto('secrets')
    .values(values)
    .onConflict((conflict) => conflict.column('id').doNothing())
    .execute();
  const stored = await kysely
    .selectFrom('secrets')
    .select(['key_id', 'sealed'])
    .where('id', '=', checkPlace.id)
    .executeTakeFirstOrThrow();
  if (ring.unseal(stored, checkPlace)?.reveal() !== checkText) throw wrongKey([stored.key_id]);
}

const wrongKey = (keyIds: readonly string[]): StartError =>
  new StartError(
    `SECRETS_KEY is not what the secrets in the database were encrypted with: add the key "${keyIds.join('", "')}" to it, behind the new one if there is one. Nothing was changed.`,
  );
