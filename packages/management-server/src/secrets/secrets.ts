import { GatewayError } from '@tallyport/contracts';
import type { Database, Queries } from '@tallyport/database';
import { checkMasterKey } from './check-master-key.ts';
import type { KeyRing, SealedSecret } from './key-ring.ts';
import { type MasterKeySources, openKeyRing } from './open-key-ring.ts';
import type { SecretPlace } from './seal.ts';
import type { Secret } from './secret.ts';

/**
 * Stores encrypted secrets: rows encrypted with AES-256-GCM under a master key and bound to their place. All methods
 * except `prepare` and `obstacle` throw `unavailable`, saying what to do, if no master key is configured.
 */
export interface Secrets {
  /**
   * Must be called once the schema exists, before any other method. Throws StartError, without changing anything, if
   * the master keys are not those that encrypted the database.
   */
  prepare(database: Database): Promise<void>;
  /** Why no secret can be stored; `undefined` if it can. */
  obstacle(): string | undefined;
  /** Stores a secret under the place's id, replacing a previous one. */
  keep(queries: Queries, place: SecretPlace, secret: Secret): Promise<void>;
  /** Stores a secret unless there is one. Returns the stored one. */
  keepFirst(queries: Queries, place: SecretPlace, secret: Secret): Promise<Secret>;
  read(queries: Queries, place: SecretPlace): Promise<Secret | undefined>;
  /** Decrypts a row that the caller has read. */
  unseal(sealed: SealedSecret, place: SecretPlace): Secret;
}

export function createSecrets(sources: MasterKeySources): Secrets {
  let ring: KeyRing | undefined;
  const needed = (): KeyRing => {
    if (ring === undefined) throw new GatewayError('unavailable', missing);
    return ring;
  };
  const secrets: Secrets = {
    async prepare(database) {
      ring = await openKeyRing(sources, database);
      if (ring !== undefined) await checkMasterKey(database, ring);
    },
    obstacle: () => (ring === undefined ? missing : undefined),
    async keep(queries, place, secret) {
      const sealed = needed().seal(secret, place);
      const { id, purpose, accountId = null } = place;
      await queries
        .insertInto('secrets')
        .values({ id, purpose, account_id: accountId, ...sealed })
        .onConflict((conflict) => conflict.column('id').doUpdateSet(sealed))
        .execute();
    },
    async keepFirst(queries, place, secret) {
      const { id, purpose, accountId = null } = place;
      await queries
        .insertInto('secrets')
        .values({ id, purpose, account_id: accountId, ...needed().seal(secret, place) })
        .onConflict((conflict) => conflict.column('id').doNothing())
        .execute();
      return (await secrets.read(queries, place)) ?? secret;
    },
    async read(queries, place) {
      const query = queries.selectFrom('secrets').select(['key_id', 'sealed']);
      const row = await query.where('id', '=', place.id).where('purpose', '=', place.purpose).executeTakeFirst();
      return row && secrets.unseal(row, place);
    },
    unseal(sealed, place) {
      const secret = needed().unseal(sealed, place);
      if (secret === undefined) throw unreadable(sealed, place);
      return secret;
    },
  };
  return secrets;
}

const missing =
  'Secrets cannot be stored because SECRETS_KEY is not set. The operator can generate it: npm run secrets -- generate';

/** Written by a replica with other keys, or changed in the database. */
const unreadable = ({ key_id: keyId }: SealedSecret, { id, purpose }: SecretPlace): GatewayError =>
  new GatewayError('unavailable', 'A stored secret cannot be read. The operator must check SECRETS_KEY.', {
    detail: `the ${purpose} ${id} cannot be decrypted with the master key ${keyId}`,
  });
