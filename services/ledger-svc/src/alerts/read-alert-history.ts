import { type Database, type Row, sql } from '@tallyport/database';
import type { AlertDelivery, AlertEvent } from '@tallyport/management';
import { webhookHost } from './webhook-secret.ts';

interface AlertHistoryQuery {
  accountId: string;
  /** The id of an alert. */
  alert?: string | undefined;
  /** The id of the last event of the page before. */
  cursor?: string | undefined;
  limit: number;
}

/** Reads events with their deliveries, newest first. */
export async function readAlertHistory(
  { kysely }: Pick<Database, 'kysely'>,
  { accountId, alert, cursor, limit }: AlertHistoryQuery,
): Promise<{ events: AlertEvent[]; nextCursor?: string }> {
  const rows = await kysely
    .selectFrom('alert_events')
    .selectAll()
    .where('account_id', '=', accountId)
    .$if(alert !== undefined, (found) => found.where('alert_id', '=', alert ?? ''))
    .$if(cursor !== undefined, (found) => found.where(isBefore(accountId, cursor ?? '')))
    .orderBy('at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit + 1)
    .execute();
  const page = rows.slice(0, limit);
  const events = await withDeliveries({ kysely }, page);
  const last = page.at(-1);
  return { events, ...(rows.length > limit && last && { nextCursor: last.id }) };
}

const isBefore = (accountId: string, cursor: string) =>
  sql<boolean>`(at, id) < (select at, id from alert_events where id = ${cursor} and account_id = ${accountId})`;

/** Reads one event. */
export async function readAlertEvent({ kysely }: Pick<Database, 'kysely'>, id: string): Promise<AlertEvent> {
  const row = await kysely.selectFrom('alert_events').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
  const [event] = await withDeliveries({ kysely }, [row]);
  if (event === undefined) throw new TypeError('One row makes one event.');
  return event;
}

async function withDeliveries(
  { kysely }: Pick<Database, 'kysely'>,
  rows: readonly Row<'alert_events'>[],
): Promise<AlertEvent[]> {
  if (rows.length === 0) return [];
  const ids = rows.map(({ id }) => id);
  const deliveries = await kysely
    .selectFrom('alert_deliveries')
    .selectAll()
    .where('event_id', 'in', ids)
    .orderBy('channel', 'desc')
    .orderBy('target')
    .execute();
  const byEvent = Map.groupBy(deliveries, ({ event_id }) => event_id);
  return rows.map((row) => ({
    id: row.id,
    at: row.at.toISOString(),
    alertId: row.alert_id,
    alertName: row.alert_name,
    kind: row.kind,
    subject: row.subject,
    subjectName: row.subject_name,
    ...(row.value !== null && { value: row.value }),
    summary: row.summary,
    deliveries: (byEvent.get(row.id) ?? []).map(deliveryOf),
  }));
}

const deliveryOf = (row: Row<'alert_deliveries'>): AlertDelivery => ({
  channel: row.channel,
  to: row.channel === 'webhook' ? webhookHost(row.target) : row.target,
  state: row.delivered_at ? 'delivered' : row.next_attempt_at ? 'waiting' : 'failed',
  attempts: row.attempts,
  ...(row.delivered_at && { deliveredAt: row.delivered_at.toISOString() }),
  ...(row.next_attempt_at && { nextAttemptAt: row.next_attempt_at.toISOString() }),
  ...(row.last_error !== null && { lastError: row.last_error }),
});
