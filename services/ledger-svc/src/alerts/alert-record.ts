import { type Database, type Queries, type Row, sql } from '@tallyport/database';
import { type AlertCondition, alertConditionSchema, type AlertRecord } from '@tallyport/management';
import { unconfirmedOf } from './addresses/unconfirmed.ts';

type Firing = AlertRecord['firing'][number];

const mostShownFirings = 100;

const alertColumns = [
  'id',
  'name',
  'condition',
  'webhook_url',
  'webhook_last_four',
  'webhook_format',
  'emails',
  'enabled',
  'checked_at',
  'created_at',
  'updated_at',
] as const satisfies readonly (keyof Row<'alerts'>)[];

type AlertRow = Pick<Row<'alerts'>, (typeof alertColumns)[number]>;

interface AlertState {
  condition: AlertCondition;
  firing: Firing[];
  unconfirmed: readonly string[];
}

const alertRecord = (row: AlertRow, { condition, firing, unconfirmed }: AlertState): AlertRecord => ({
  id: row.id,
  name: row.name,
  condition,
  ...(row.webhook_url !== null && {
    webhook: {
      url: row.webhook_url,
      ...(row.webhook_last_four !== null && { lastFour: row.webhook_last_four }),
      ...(row.webhook_format !== null && { format: row.webhook_format }),
    },
  }),
  ...(row.emails && { emails: row.emails }),
  ...(unconfirmed.length > 0 && { unconfirmedEmails: [...unconfirmed] }),
  enabled: row.enabled,
  ...(row.checked_at && { checkedAt: row.checked_at.toISOString() }),
  firing,
  createdAt: row.created_at.toISOString(),
  updatedAt: row.updated_at.toISOString(),
});

/** Reads alerts of an account in alphabetical order: all, or one. Those of a newer version, which this one does not know, are left out. */
export async function readAlerts(queries: Queries, accountId: string, id?: string): Promise<AlertRecord[]> {
  const rows = await queries
    .selectFrom('alerts')
    .select(alertColumns)
    .where('account_id', '=', accountId)
    .$if(id !== undefined, (found) => found.where('id', '=', id ?? ''))
    .orderBy('name')
    .orderBy('id')
    .execute();
  const firings = await readFirings(queries, accountId, id);
  const emails = [...new Set(rows.flatMap((row) => row.emails ?? []))];
  const unconfirmed = new Set(await unconfirmedOf(queries, { accountId, emails }));
  return rows.flatMap((row) => {
    const { data: condition } = alertConditionSchema.safeParse(row.condition);
    if (condition === undefined) return [];
    const own = (row.emails ?? []).filter((email) => unconfirmed.has(email));
    return alertRecord(row, { condition, firing: firings.get(row.id) ?? [], unconfirmed: own });
  });
}

async function readFirings(queries: Queries, accountId: string, id?: string): Promise<Map<string, Firing[]>> {
  const { rows } = await sql<{ alert_id: string; subject: string; subject_name: string; value: number; since: Date }>`
    select firing.* from alerts cross join lateral (
      select * from alert_firings where alert_id = alerts.id order by since, subject limit ${mostShownFirings}
    ) as firing where account_id = ${accountId} and (${id ?? null}::text is null or alerts.id = ${id ?? null})`.execute(
    queries,
  );
  const firings = new Map<string, Firing[]>();
  for (const { alert_id: alertId, subject, subject_name: subjectName, value, since } of rows) {
    const firing = { subject, subjectName, value, since: since.toISOString() };
    firings.set(alertId, [...(firings.get(alertId) ?? []), firing]);
  }
  return firings;
}

/** Counts the alerts of an account that are firing. */
export async function countFiring({ kysely }: Database, accountId: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from alerts where account_id = ${accountId} and enabled
      and exists (select 1 from alert_firings where alert_id = alerts.id)`.execute(kysely);
  return rows[0]?.count ?? 0;
}
