import { randomBytes } from 'node:crypto';
import { GatewayError } from '@tallyport/contracts';
import { type Queries, sql } from '@tallyport/database';
import { createKeyRing, type KeyRing, Secret, type Secrets } from '@tallyport/management-server';

/**
 * The keys that encrypt contents: one per account and month, themselves stored as secrets. So another master key
 * encrypts a few keys anew, and not every content.
 */
export interface ContentKeys {
  /** The key for new contents of an account, which is created if there is none. */
  current(queries: Queries, accountId: string, now: Date): Promise<KeyRing>;
  /** The key with this id, as stored with a content. */
  open(queries: Queries, accountId: string, id: string): Promise<KeyRing>;
}

const purpose = 'content-key';
const keyBytes = 32;
const mostKnown = 1_000;

export function createContentKeys(secrets: Pick<Secrets, 'keepFirst' | 'read'>): ContentKeys {
  const known = new Map<string, KeyRing>();

  function remember(id: string, secret: Secret): KeyRing {
    const ring = createKeyRing([{ id, bytes: Buffer.from(secret.reveal(), 'base64') }]);
    if (known.size === mostKnown) known.clear();
    known.set(id, ring);
    return ring;
  }

  return {
    async current(queries, accountId, now) {
      const id = `content_${accountId}_${now.toISOString().slice(0, 7)}`;
      const made = new Secret(randomBytes(keyBytes).toString('base64'));
      return known.get(id) ?? remember(id, await secrets.keepFirst(queries, { id, purpose, accountId }, made));
    },
    async open(queries, accountId, id) {
      const opened = known.get(id);
      if (opened !== undefined) return opened;
      const secret = await secrets.read(queries, { id, purpose, accountId });
      if (secret === undefined) throw lostKey(id);
      return remember(id, secret);
    },
  };
}

const lostKey = (id: string): GatewayError =>
  new GatewayError('unavailable', 'The key of this content is missing in the database.', {
    detail: `there is no secret ${id}`,
  });

/** Deletes the keys of months whose contents have all expired. */
export async function deleteOldContentKeys(queries: Queries): Promise<void> {
  await sql`delete from secrets where purpose = ${purpose}
    and right(id, 7) < to_char(now() - interval '100 days', 'YYYY-MM')`.execute(queries);
}
