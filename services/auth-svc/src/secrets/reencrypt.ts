import type { Database } from '@switchyard/database';
import { recordAudit } from '../audit/audit.ts';
import { defaultAccountId } from '../accounts/account.ts';
import type { KeyRing } from './key-ring.ts';

export interface ReencryptionResult {
  /** What everything is encrypted with now. */
  keyId: string;
  count: number;
}

const batchSize = 100;
/** Replicas that still encrypt with another key may bring more while we work, but not for ever. */
const mostPasses = 10;

/**
 * Encrypts everything anew that is not under the ring's first key. It may be ended and begun again at any time, and run
 * beside services that read and write: what somebody replaces meanwhile stays as they wrote it. Throws, with the rest done,
 * when something cannot be read or goes on being written under another key.
 */
export async function reencryptSecrets(database: Database, ring: KeyRing): Promise<ReencryptionResult> {
  let count = 0;
  for (let pass = 0; pass < mostPasses; pass += 1) {
    const { done, unreadable, seen } = await onePass(database, ring);
    count += done;
    if (unreadable.length > 0) throw new Error(cannotBeRead(unreadable));
    if (seen > 0) continue;
    if (count > 0) await note(database, { keyId: ring.firstId, count });
    return { keyId: ring.firstId, count };
  }
  throw new Error(
    `Secrets go on being written under another key than "${ring.firstId}": give all services the same SECRETS_KEY, then run this again.`,
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
  `${ids.length} of the secrets cannot be read with SECRETS_KEY: ${ids.slice(0, shownIds).join(', ')}${ids.length > shownIds ? ' …' : ''}. Add the key they were encrypted with; all others are done.`;
