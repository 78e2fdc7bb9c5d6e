import { randomBytes } from 'node:crypto';
import { GatewayError } from '@tallyport/contracts';
import { type Database, type Queries, sql } from '@tallyport/database';
import { type AuditActor, recordAudit } from '@tallyport/management-server';
import { findKeyOf, type FoundKey } from '../keys/find-key.ts';
import { playgroundKeyId } from '../keys/playground-key-id.ts';

/** A person in an account. */
interface PlaygroundUser {
  accountId: string;
  userId: string;
  email: string;
  actor: AuditActor;
}

/** Finds the key with which a person uses the playground of an account, and makes it with the first use. */
export async function playgroundKey({ kysely }: Database, user: PlaygroundUser): Promise<FoundKey> {
  const id = playgroundKeyId(user);
  const known = await findKeyOf(kysely, { id, userId: user.userId });
  if (known !== undefined) return known;
  await kysely.transaction().execute((transaction) => makeKey(transaction, { ...user, id }));
  const made = await findKeyOf(kysely, { id, userId: user.userId });
  if (made === undefined) throw turnedOff();
  return made;
}

/**
 * Its hash is random bytes: no text has this hash, so nothing can be stolen and no request carries the key. The key of a
 * person who left the account and is back is theirs again, with the settings an admin gave it.
 */
async function makeKey(transaction: Queries, { id, accountId, userId, email, actor }: PlaygroundUser & { id: string }) {
  const row = await transaction
    .insertInto('api_keys')
    .values({
      id,
      account_id: accountId,
      user_id: userId,
      name: `Playground of ${email}`.slice(0, mostLetters),
      prefix: 'playground',
      key_hash: randomBytes(32).toString('hex'),
    })
    .onConflict((conflict) =>
      conflict
        .column('id')
        .doUpdateSet({ user_id: userId, revoked_at: null })
        .where((where) =>
          where.or([where('api_keys.revoked_at', 'is not', null), where('api_keys.user_id', 'is', null)]),
        ),
    )
    .returning(sql<boolean>`true`.as('changed'))
    .executeTakeFirst();
  if (row) await recordAudit(transaction, { accountId, actor, action: 'key.created', subject: id });
}

/** As long as the name of a key may be. */
const mostLetters = 100;

const turnedOff = (): GatewayError =>
  new GatewayError(
    'permission_denied',
    'Your playground key has expired, or the account is suspended. Ask an admin of the account to remove the expiry of the key.',
  );
