import { defaultAccountId, GatewayError } from '@tallyport/contracts';
import { type Database, type Queries, sql } from '@tallyport/database';
import { emailSchema } from '@tallyport/management';
import {
  hashToken,
  makeToken,
  openDemoToOwners,
  orUnavailable,
  parseInput,
  recordAudit,
  type SessionToken,
} from '@tallyport/management-server';
import type { Sessions } from '../sessions/sessions.ts';
import { enrol, type EnrolTools } from './enrol.ts';
import { endPasswordLink } from '../users/end-password-link.ts';
import type { Passwords } from '../users/passwords.ts';
import { addUser, findPasswords } from '../users/users.ts';

interface FirstOwnerClaim {
  token: string;
  email: string;
  password: string;
  address: string;
}

export interface FirstOwner {
  /** Whether the default account has an owner. */
  exists(): Promise<boolean>;
  /** Whether this link, possibly from an earlier start, can still create the first owner. */
  isOpen(link: { token: string; address: string }): Promise<boolean>;
  /** Makes the user the owner of the default account and signs them in. With concurrent calls, exactly one succeeds. */
  claim(claim: FirstOwnerClaim): Promise<SessionToken>;
}

const linkHours = 24;

export function createFirstOwner(tools: EnrolTools & { sessions: Sessions }): FirstOwner {
  const { attempts, sessions } = tools;
  const { kysely } = tools.database;
  const exists = orUnavailable(ownerExists);
  return {
    exists: () => exists(kysely),
    isOpen: orUnavailable(async ({ token, address }) => {
      await attempts.count('link_address', address);
      return linkWorks(kysely, token);
    }),
    claim: orUnavailable(async ({ token, email, password, address }) => {
      await attempts.count('link_address', address);
      if (!(await linkWorks(kysely, token))) throw spent();
      const known = parseInput(emailSchema, email, 'The e-mail address');
      const userIn = await enrol(tools, { email: known, password, address });
      const userId = await kysely.transaction().execute(async (transaction) => {
        if (await hasOwner(transaction)) throw spent();
        const used = transaction.deleteFrom('setup_links').where('token_hash', '=', hashToken(token));
        if ((await used.returning('token_hash').executeTakeFirst()) === undefined) throw spent();
        await transaction.deleteFrom('setup_links').execute();
        const id = await userIn(transaction);
        await makeOwner(transaction, id);
        return id;
      });
      return sessions.begin(userId);
    }),
  };
}

/**
 * Creates a link for the first owner and returns its path; `undefined` if there is an owner. Links of other replicas
 * stay valid.
 */
export function openFirstOwnerLink({ kysely }: Database): Promise<string | undefined> {
  return kysely.transaction().execute(async (transaction) => {
    if (await hasOwner(transaction)) return undefined;
    const token = makeToken();
    const expires_at = sql<Date>`now() + make_interval(hours => ${linkHours}::int)`;
    await transaction
      .insertInto('setup_links')
      .values({ token_hash: hashToken(token), expires_at })
      .execute();
    return `/setup/${token}`;
  });
}

export interface BootstrapAdmin {
  email: string;
  password: string;
}

/**
 * Ensures the first owner that the settings name. Changes nothing if there is an owner, so a password changed later is
 * kept.
 */
export async function ensureFirstOwner(
  { kysely }: Database,
  passwords: Passwords,
  { email, password }: BootstrapAdmin,
): Promise<{ created: boolean }> {
  const passwordHash = await passwords.hash(password);
  return kysely.transaction().execute(async (transaction) => {
    if (await hasOwner(transaction)) return { created: false };
    const [known] = await findPasswords(transaction, email);
    const userId = known?.id ?? (await addUser(transaction, { email, passwordHash }));
    if (userId === undefined) return { created: false };
    await makeOwner(transaction, userId);
    await transaction.deleteFrom('setup_links').execute();
    return { created: true };
  });
}

/** Locks the default account's row until the end of the transaction. */
async function hasOwner(transaction: Queries): Promise<boolean> {
  await transaction.selectFrom('accounts').select('id').where('id', '=', defaultAccountId).forUpdate().execute();
  return ownerExists(transaction);
}

async function makeOwner(transaction: Queries, userId: string): Promise<void> {
  const accountId = defaultAccountId;
  await transaction
    .insertInto('memberships')
    .values({ account_id: accountId, user_id: userId, role: 'owner' })
    .onConflict((conflict) => conflict.columns(['account_id', 'user_id']).doUpdateSet({ role: 'owner' }))
    .execute();
  await openDemoToOwners(transaction);
  await endPasswordLink(transaction, userId);
  const entry = { accountId, actor: `user:${userId}`, action: 'member.joined', subject: userId } as const;
  await recordAudit(transaction, { ...entry, detail: { role: 'owner', first: true } });
}

async function ownerExists(queries: Queries): Promise<boolean> {
  return (await ownerQuery(queries).executeTakeFirst()) !== undefined;
}

async function linkWorks(queries: Queries, token: string): Promise<boolean> {
  if (await ownerExists(queries)) return false;
  const link = await queries
    .selectFrom('setup_links')
    .select('token_hash')
    .where('token_hash', '=', hashToken(token))
    .where('expires_at', '>', sql<Date>`now()`)
    .executeTakeFirst();
  return link !== undefined;
}

const ownerQuery = (queries: Queries) =>
  queries
    .selectFrom('memberships')
    .select('user_id')
    .where('account_id', '=', defaultAccountId)
    .where('role', '=', 'owner')
    .limit(1);

const spent = (): GatewayError =>
  new GatewayError('not_found', 'This link was used or has expired. Restart the gateway to get a new one.');
