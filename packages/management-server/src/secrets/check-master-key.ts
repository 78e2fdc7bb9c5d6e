import type { Database } from '@tallyport/database';
import { StartError } from '@tallyport/service-kit';
import type { KeyRing } from './key-ring.ts';
import { Secret } from './secret.ts';

/** The place of a check value: a key that can decrypt it is the right one. */
const checkPlace = { id: 'check', purpose: 'check' };

/**
 * Throws StartError, without changing anything, if the keys are not those that encrypted the database. The first start
 * stores a check value for later ones.
 */
export async function checkMasterKey({ kysely }: Database, ring: KeyRing): Promise<void> {
  const used = await kysely.selectFrom('secrets').select('key_id').distinct().execute();
  const unknown = used.map(({ key_id: keyId }) => keyId).filter((keyId) => !ring.has(keyId));
  if (unknown.length > 0) throw wrongKey(unknown);
  const values = { ...checkPlace, account_id: null, ...ring.seal(new Secret('check'), checkPlace) };
  // With concurrent first starts, one stores the value and the others are checked against it.
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
  if (ring.unseal(stored, checkPlace) === undefined) throw wrongKey([stored.key_id]);
}

const wrongKey = (keyIds: readonly string[]): StartError =>
  new StartError(
    `SECRETS_KEY does not contain a key that encrypted the database: add the key "${keyIds.join('", "')}" to it, after any new one. Nothing was changed.`,
  );
