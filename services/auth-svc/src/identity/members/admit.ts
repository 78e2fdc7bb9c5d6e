import { defaultAccountId, type Role } from '@tallyport/contracts';
import { type Database, type Queries, sql } from '@tallyport/database';
import { emailSchema } from '@tallyport/management';
import { recordAudit } from '@tallyport/management-server';
import { applyRole, endMembership } from '../../accounts/members.ts';
import { endGrantsOf } from '../../oauth/management/grants.ts';
import { endPasswordLink } from '../../users/end-password-link.ts';
import type { SignInProvider } from '../document/read-identity.ts';
import type { IdentifiedPerson } from '../sign-in/identify-person.ts';
import { claimOf } from '../claims.ts';
import { followProjects } from './follow-projects.ts';
import { projectsOf } from './projects-of.ts';
import { rolesOf } from './roles-of.ts';
import { userOf } from './user-of.ts';

interface AdmissionRequest {
  provider: SignInProvider;
  person: IdentifiedPerson;
}

type Admission =
  | { outcome: 'admitted'; userId: string; ended: string[] }
  /** No rule gives the person an account. Memberships that the provider had given have ended. */
  | { outcome: 'no_access'; email: string; ended: string[] }
  | { outcome: 'no_email' };

/**
 * Makes the memberships of a person follow the claims: adds the user at the first sign-in, changes roles in accounts and
 * projects, and removes memberships that this provider gave and no rule gives any more. `ended` are the hashes of keys
 * and tokens that ended.
 */
export async function admit({ kysely }: Database, { provider, person }: AdmissionRequest): Promise<Admission> {
  const email = emailSchema.safeParse(claimOf(person.claims, provider.emailClaim));
  if (!email.success) return { outcome: 'no_email' };
  return kysely.transaction().execute(async (transaction) => {
    await lockPerson(transaction, person);
    const wanted = rolesOf(person.claims, provider.access);
    const projects = projectsOf(person.claims, provider.access);
    const isNew = wanted.size > 0;
    const user = await userOf(transaction, {
      person,
      email: email.data,
      isNew,
      linkVerified: provider.linkVerifiedEmail,
    });
    if (user === undefined) return { outcome: 'no_access', email: email.data, ended: [] };
    const { userId } = user;
    const places = await lockPlaces(transaction, { userId, accounts: [...wanted.keys()] });
    const ended = [...user.ended];
    let granted = 0;
    for (const place of places) {
      const role = wanted.get(place.accountId);
      if (role !== undefined) granted++;
      ended.push(...(await follow(transaction, { place, role, userId, provider: provider.id })));
      const { accountId } = place;
      const following = { accountId, userId, provider: provider.id };
      ended.push(...(await followProjects(transaction, following, projects.get(accountId) ?? new Map())));
    }
    // With an owner, no link may create a first one.
    if (wanted.get(defaultAccountId) === 'owner') await transaction.deleteFrom('setup_links').execute();
    return granted > 0 ? { outcome: 'admitted', userId, ended } : { outcome: 'no_access', email: email.data, ended };
  });
}

/** Two first sign-ins of one person must not create two users. */
async function lockPerson(transaction: Queries, { issuer, subject }: IdentifiedPerson): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`${issuer} ${subject}`}, 20))`.execute(transaction);
}

/** An account, and the person's membership in it. */
interface Place {
  accountId: string;
  role: Role | null;
  provider: string | null;
}

/** Locks the accounts, always in the same order: other changes of members wait. Unknown accounts are left out. */
async function lockPlaces(
  transaction: Queries,
  { userId, accounts }: { userId: string; accounts: string[] },
): Promise<Place[]> {
  const mine = transaction.selectFrom('memberships').select('account_id').where('user_id', '=', userId);
  await transaction
    .selectFrom('accounts')
    .select('id')
    .where((where) => where.or([where('id', 'in', mine), ...accounts.map((id) => where('id', '=', id))]))
    .orderBy('id')
    .forUpdate()
    .execute();
  return transaction
    .selectFrom('accounts')
    .leftJoin('memberships', (join) =>
      join.onRef('memberships.account_id', '=', 'accounts.id').on('memberships.user_id', '=', userId),
    )
    .select(['accounts.id as accountId', 'memberships.role', 'memberships.identity_provider as provider'])
    .where((where) =>
      where.or([where('memberships.user_id', 'is not', null), ...accounts.map((id) => where('accounts.id', '=', id))]),
    )
    .execute();
}

interface Following {
  place: Place;
  /** The role that the claims give; `undefined` for none. */
  role: Role | undefined;
  userId: string;
  provider: string;
}

async function follow(transaction: Queries, { place, role, userId, provider }: Following): Promise<string[]> {
  const change = { accountId: place.accountId, userId, actor: `identity:${provider}` } as const;
  if (role === undefined) {
    if (place.provider !== provider || place.role === null) return [];
    return endMembership(transaction, change, { role: place.role, keepKeys: false });
  }
  if (place.role === null) return join(transaction, { ...change, role, provider });
  if (place.provider !== provider) await claimMembership(transaction, { ...change, provider });
  return place.role === role ? [] : applyRole(transaction, change, { from: place.role, to: role });
}

interface Joining {
  accountId: string;
  userId: string;
  actor: `identity:${string}`;
  role: Role;
  provider: string;
}

async function join(transaction: Queries, { accountId, userId, actor, role, provider }: Joining): Promise<string[]> {
  const values = { account_id: accountId, user_id: userId, role, identity_provider: provider };
  await transaction.insertInto('memberships').values(values).execute();
  await recordAudit(transaction, { accountId, actor, action: 'member.joined', subject: userId, detail: { role } });
  await endPasswordLink(transaction, userId);
  return endGrantsOf(transaction, { accountId, userId, actor });
}

/** From now on, the claims decide about this membership. */
async function claimMembership(
  transaction: Queries,
  { accountId, userId, provider }: Pick<Joining, 'accountId' | 'userId' | 'provider'>,
): Promise<void> {
  await transaction
    .updateTable('memberships')
    .set({ identity_provider: provider })
    .where('account_id', '=', accountId)
    .where('user_id', '=', userId)
    .execute();
}
