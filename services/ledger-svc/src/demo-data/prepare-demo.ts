import { defaultAccountId, GatewayError, hashKey, makeKey, recognisablePart } from '@tallyport/contracts';
import { type Database, type Queries, sql } from '@tallyport/database';
import { demoAccountId, jsonText, openDemoToOwners, recordAudit, unusablePassword } from '@tallyport/management-server';
import { type DemoCaller, demoCallers, demoMembers } from './callers.ts';
import { demoKeyId, demoKeyPattern, demoUserId } from './demo-ids.ts';

/**
 * Creates the members and keys of the demo in the first account, or in a new one if the first has usage of its own. They
 * cannot be used: the texts of the keys and the passwords are not kept.
 */
export async function prepareDemo({ kysely }: Database): Promise<{ accountId: string }> {
  const passwordHash = unusablePassword();
  return kysely.transaction().execute(async (transaction) => {
    await transaction.selectFrom('accounts').select('id').where('id', '=', defaultAccountId).forUpdate().execute();
    if (await hasDemo(transaction)) throw existing();
    const accountId = (await hasOwnUsage(transaction)) ? await addAccount(transaction) : defaultAccountId;
    await addMembers(transaction, { accountId, passwordHash });
    await addKeys(transaction, accountId);
    const entry = { accountId, actor: 'operator', action: 'account.demo_data_added', subject: accountId } as const;
    await recordAudit(transaction, entry);
    return { accountId };
  });
}

async function hasDemo(transaction: Queries): Promise<boolean> {
  const keys = transaction.selectFrom('api_keys').select('id').where('id', 'like', demoKeyPattern);
  return (await keys.limit(1).executeTakeFirst()) !== undefined;
}

async function hasOwnUsage(transaction: Queries): Promise<boolean> {
  const { rows } = await sql`select 1 from usage_days where account_id = ${defaultAccountId}
    and key_id not like ${demoKeyPattern} limit 1`.execute(transaction);
  return rows.length > 0;
}

async function addAccount(transaction: Queries): Promise<string> {
  const account = { id: demoAccountId, name: 'Demo' };
  await transaction
    .insertInto('accounts')
    .values(account)
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  await openDemoToOwners(transaction);
  return demoAccountId;
}

async function addMembers(
  transaction: Queries,
  { accountId, passwordHash }: { accountId: string; passwordHash: string },
): Promise<void> {
  const users = demoMembers.map(({ name }) => {
    return { id: demoUserId(name), email: `${name}@demo.example`, password_hash: passwordHash };
  });
  const members = demoMembers.map(({ name, role }) => ({ account_id: accountId, user_id: demoUserId(name), role }));
  await transaction
    .insertInto('users')
    .values(users)
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  await transaction
    .insertInto('memberships')
    .values(members)
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

async function addKeys(transaction: Queries, accountId: string): Promise<void> {
  await transaction
    .insertInto('api_keys')
    .values(demoCallers.map((caller) => keyRow(caller, accountId)))
    .execute();
  await sql`update api_keys set created_at = now() - interval '31 days', last_used_at = now()
    where account_id = ${accountId} and id like ${demoKeyPattern}`.execute(transaction);
}

function keyRow({ name, member, limits, budget }: DemoCaller, accountId: string) {
  const key = makeKey();
  return {
    limits: jsonText(limits),
    budget: jsonText(budget),
    id: demoKeyId(accountId, name),
    account_id: accountId,
    name,
    user_id: member === undefined ? null : demoUserId(member),
    is_admin: false,
    prefix: recognisablePart(key),
    key_hash: hashKey(key),
  };
}

const existing = (): GatewayError =>
  new GatewayError('conflict', 'There is demo data already. Remove it first: npm run demo-data -- remove');
