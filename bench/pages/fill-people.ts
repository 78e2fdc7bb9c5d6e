import { hash } from 'node:crypto';
import { hashToken, makeToken } from '@tallyport/management-server';
import { hashKey, makeKey } from '../../packages/contracts/src/index.ts';
import { type Queries, sql } from '../../packages/database/src/index.ts';

/** The first account, which has four fifths of the requests. */
export const largeAccount = 'default';
export const keysOfLarge = 1_000;
export const otherAccounts = 200;
export const projects = 30;
const members = 500;
/** Keys of the member, who sees only these: one in thirty. */
const everyNth = 30;

export interface Visitors {
  /** Cookies of an admin and of a member of the large account. */
  admin: string;
  member: string;
  /** A key of the large account that may use the management API. */
  key: string;
}

/** Adds accounts, members, keys, projects and audit entries, for the requests of the ledger. */
export async function fillPeople(queries: Queries, auditEntries: number): Promise<void> {
  const lit = sql.lit;
  await sql`insert into accounts (id, name) values (${largeAccount}, 'Large') on conflict do nothing`.execute(queries);
  await sql`insert into accounts (id, name) select 'account_' || n, 'Account ' || n
    from generate_series(0, ${lit(otherAccounts - 1)}) as n`.execute(queries);
  await sql`insert into users (id, email, password_hash) select 'user_bench_' || n, 'person-' || n || '@bench.example', ''
    from generate_series(0, ${lit(members - 1)}) as n`.execute(queries);
  await sql`insert into memberships (account_id, user_id, role)
    select ${largeAccount}, 'user_bench_' || n, case when n = 0 then 'admin' else 'member' end
    from generate_series(0, ${lit(members - 1)}) as n`.execute(queries);
  await sql`insert into projects (id, account_id, name, budget) select 'project_bench_' || n, ${largeAccount}, 'Project ' || n,
    '{"amount": "5000", "period": "month"}' from generate_series(0, ${lit(projects - 1)}) as n`.execute(queries);
  await sql`insert into api_keys (id, account_id, name, user_id, is_admin, prefix, key_hash, budget, project_id, last_used_at)
    select 'key_bench_' || n, case when n < ${lit(keysOfLarge)} then ${largeAccount} else 'account_' || (n - ${lit(keysOfLarge)}) / 5 end,
      'service ' || n, case when n < ${lit(keysOfLarge)} then 'user_bench_' || case when n % ${lit(everyNth)} = 0 then 1 else n % 400 + 2 end end,
      false, 'sk-tp-' || n, encode(sha256(n::text::bytea), 'hex'), case when n % 5 = 0 then '{"amount": "800", "period": "month"}'::jsonb end,
      case when n < ${lit(keysOfLarge)} and n % 4 = 0 then 'project_bench_' || n % ${lit(projects)} end, now()
    from generate_series(0, ${lit(keysOfLarge + otherAccounts * 5 - 1)}) as n`.execute(queries);
  await sql`insert into audit_log (at, account_id, actor, action, subject, detail)
    select now() - (${lit(auditEntries)} - n) * interval '60 seconds', ${largeAccount}, 'user:user_bench_' || n % 500,
      case when n % 3 = 0 then 'session.started' else 'key.changed' end, 'key_bench_' || n % ${lit(keysOfLarge)},
      jsonb_build_object('address', '203.0.113.' || n % 250, 'name', 'service')
    from generate_series(1, ${lit(auditEntries)}) as n`.execute(queries);
}

/** Signs in the admin and the member, and makes a management key, for this run. */
export async function openVisitors(queries: Queries): Promise<Visitors> {
  const [admin, member, key] = [makeToken(), makeToken(), makeKey()];
  for (const [at, token] of [admin, member].entries())
    await sql`insert into sessions (id, token_hash, user_id, expires_at)
      values (${`session_${hash('sha256', token).slice(0, 32)}`}, ${hashToken(token)}, ${`user_bench_${at}`}, now() + interval '1 hour')`.execute(
      queries,
    );
  await sql`insert into api_keys (id, account_id, name, is_admin, prefix, key_hash)
    values (${`key_${hash('sha256', key).slice(0, 32)}`}, ${largeAccount}, 'bench', true, 'sk-tp-bench', ${hashKey(key)})`.execute(
    queries,
  );
  return { admin: `tallyport=${admin}`, member: `tallyport=${member}`, key };
}
