import { GatewayError } from '@switchyard/contracts';
import type { Database, Queries } from '@switchyard/database';
import { checkMasterKey } from './check-master-key.ts';
import type { KeyRing, SealedSecret } from './key-ring.ts';
import { type MasterKeySources, openKeyRing } from './open-key-ring.ts';
import type { SecretPlace } from './seal.ts';
import type { Secret } from './secret.ts';

/**
 * What is kept encrypted: `secrets` rows, each with AES-256-GCM under a master key and bound to its place. Everything here
 * throws `unavailable`, saying what to do, where no master key is configured.
 */
export interface Secrets {
  /**
   * To be called when the schema is there and before anything is kept. Throws StartError, having changed nothing, when
   * the master keys are not those the database was encrypted with.
   */
  prepare(database: Database): Promise<void>;
  /** Why nothing can be kept here; `undefined` when it can. */
  obstacle(): string | undefined;
  /** Keeps it under the place's id; what was there is replaced. */
  keep(queries: Queries, place: SecretPlace, secret: Secret): Promise<void>;
  read(queries: Queries, place: SecretPlace): Promise<Secret | undefined>;
  /** For rows that a query of the caller's own brought. */
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
  'Secrets cannot be kept: SECRETS_KEY is not set. The operator sets it to what npm run secrets -- generate prints.';

/** A replica that was started with other keys wrote it, or somebody changed it. */
const unreadable = ({ key_id: keyId }: SealedSecret, { id, purpose }: SecretPlace): GatewayError =>
  new GatewayError('unavailable', 'A stored secret cannot be read. The operator checks SECRETS_KEY.', {
    detail: `the ${purpose} ${id} cannot be decrypted with the master key ${keyId}`,
  });
