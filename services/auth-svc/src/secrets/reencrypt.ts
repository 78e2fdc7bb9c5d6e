import type { Database } from '@tallyport/database';
import { defaultAccountId } from '@tallyport/contracts';
import { type KeyRing, recordAudit } from '@tallyport/management-server';

export interface ReencryptionResult {
  /** The id of the key that now encrypts all secrets. */
  keyId: string;
  count: number;
}

const batchSize = 100;
/** Replicas with another first key may write more secrets in the meantime, but not forever. */
const maxPasses = 10;

/**
 * Re-encrypts all secrets that are not under the ring's first key. Can be interrupted and repeated at any time, and
 * runs while services read and write: a secret replaced concurrently keeps its new value. Throws, with the rest
 * re-encrypted, if a secret cannot be read or services keep writing under another key.
 */
export async function reencryptSecrets(database: Database, ring: KeyRing): Promise<ReencryptionResult> {
  let count = 0;
  for (let pass = 0; pass < maxPasses; pass += 1) {
    const { done, unreadable, seen } = await onePass(database, ring);
    count += done;
    if (unreadable.length > 0) throw new Error(cannotBeRead(unreadable));
    if (seen > 0) continue;
    if (count > 0) await note(database, { keyId: ring.firstId, count });
    return { keyId: ring.firstId, count };
  }
  throw new Error(
    `Services keep writing secrets under another key than "${ring.firstId}": set the same SECRETS_KEY for all services, then run this again.`,
  );
}

interface Pass {
  seen: number;
  done: number;
  unreadable: string[];
}

async function onePass({ kysely }: Database, ring: KeyRing): Promise<Pass> {
  const pass: Pass = { seen: 0, done: 0, unreadable: [] };
  let after = '';
  for (;;) {
    const rows = await kysely
      .selectFrom('secrets')
      .selectAll()
      .where('key_id', '<>', ring.firstId)
      .where('id', '>', after)
      .orderBy('id')
      .limit(batchSize)
      .execute();
    for (const { id, purpose, account_id: accountId, ...sealed } of rows) {
      const place = { id, purpose, accountId: accountId ?? undefined };
      const secret = ring.unseal(sealed, place);
      if (secret === undefined) {
        pass.unreadable.push(id);
        continue;
      }
      const change = kysely.updateTable('secrets').set(ring.seal(secret, place));
      const { numUpdatedRows } = await change
        .where('id', '=', id)
        .where('sealed', '=', sealed.sealed)
        .executeTakeFirst();
      pass.done += Number(numUpdatedRows);
    }
    pass.seen += rows.length;
    const last = rows.at(-1);
    if (last === undefined) return pass;
    after = last.id;
  }
}

const note = ({ kysely }: Database, { keyId, count }: ReencryptionResult): Promise<void> =>
  recordAudit(kysely, {
    accountId: defaultAccountId,
    actor: 'operator',
    action: 'secrets.reencrypted',
    subject: keyId,
    detail: { count },
  });

const shownIds = 5;

const cannotBeRead = (ids: readonly string[]): string =>
  `${ids.length} of the secrets cannot be read with SECRETS_KEY: ${ids.slice(0, shownIds).join(', ')}${ids.length > shownIds ? ' …' : ''}. Add the key they were encrypted with; the others are re-encrypted.`;
