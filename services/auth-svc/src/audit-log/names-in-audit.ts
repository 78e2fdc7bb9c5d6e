import { type Queries, sql } from '@tallyport/database';
import type { AuditRecord } from '@tallyport/management';
import { emailColumn } from '../users/users.ts';

type Mentioning = Pick<AuditRecord, 'actor' | 'subject' | 'detail'>;

/** Of the newest entries about an object. It is created with a name, and renamed with one. */
const mostEntries = 200;

/** Reads what the ids in entries of the log are called. Objects that were deleted have their last name. */
export async function namesInAudit(
  queries: Queries,
  accountId: string,
  entries: readonly Mentioning[],
): Promise<Record<string, string>> {
  const ids = [...new Set(entries.flatMap(idsIn))].filter((id) => id !== accountId);
  if (ids.length === 0) return {};
  const { rows } = await sql<{ id: string; name: string }>`
    select users.id, ${emailColumn} as name from users
      join memberships on memberships.user_id = users.id and memberships.account_id = ${accountId}
      where users.id in (${sql.join(ids)})
    union all
    select id, name from api_keys where account_id = ${accountId} and id in (${sql.join(ids)})
    union all
    select wanted.id, named.name from (values ${sql.join(ids.map((id) => sql`(${id}::text)`))}) as wanted (id)
    cross join lateral (
      select coalesce(detail ->> 'name', detail ->> 'label', detail ->> 'email') as name from (
        select id, detail from audit_log where account_id = ${accountId} and subject = wanted.id
        order by id desc limit ${mostEntries}
      ) as newest
      where detail ?| array['name', 'label', 'email'] order by newest.id desc limit 1
    ) as named where named.name is not null`.execute(queries);
  // Members and keys are first: what they are called now is known.
  return Object.fromEntries(rows.toReversed().map(({ id, name }) => [id, name]));
}

const isId = /^[a-z_]+_[0-9a-f]{32}$/;

/** The ids of the actor, the object, and those among the details. */
const idsIn = ({ actor, subject, detail }: Mentioning): string[] => [
  actor.slice(actor.indexOf(':') + 1),
  subject,
  ...textsIn(detail).filter((text) => isId.test(text)),
];

function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : [];
}
