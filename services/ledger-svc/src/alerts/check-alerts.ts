import { type Database, type Queries, type Row, sql } from '@tallyport/database';
import { alertConditionSchema, alertConditionTypes } from '@tallyport/management';
import { find } from './conditions/find.ts';
import type { AlertFinding, AlertFindings } from './conditions/finding.ts';
import type { AlertEvents } from './events.ts';
import { raiseEvent } from './raise-event.ts';
import { firedSummary, resolvedSummary } from './summary.ts';

const checkEverySeconds = 30;
const batch = 20;
/** The most events that one check of an alert causes; the rest follow with the next. */
const mostEvents = 100;

interface DueAlert extends Row<'alerts'> {
  account_name: string;
}

/**
 * Checks the alerts that are due. Replicas claim different ones, so each is checked once in half a minute. Resolves with
 * how many were checked.
 */
export async function checkDueAlerts(
  database: Database,
  { events, now }: { events: AlertEvents; now: Date },
): Promise<number> {
  const due = await claimDue(database);
  for (const alert of due) {
    try {
      await checkAlert(database, alert, { events, now });
    } catch (error) {
      events.checkFailed(alert.id, error);
    }
  }
  return due.length;
}

async function claimDue({ kysely }: Database): Promise<DueAlert[]> {
  const { rows } = await sql<DueAlert>`
    update alerts set checked_at = now() from accounts where accounts.id = alerts.account_id and alerts.id in (
      select id from alerts
      where enabled and condition->>'type' in (${sql.join(alertConditionTypes)}) and (checked_at is null or checked_at <= now() - make_interval(secs => ${checkEverySeconds}))
      order by checked_at nulls first limit ${batch} for update skip locked
    ) returning alerts.*, accounts.name as account_name`.execute(kysely);
  return rows;
}

async function checkAlert(
  database: Database,
  alert: DueAlert,
  { events, now }: { events: AlertEvents; now: Date },
): Promise<void> {
  const condition = alertConditionSchema.parse(alert.condition);
  const { account_id: accountId, account_name: accountName, created_at: since } = alert;
  const findings = await find(database, { accountId, accountName, since, now }, condition);
  const raised = await database.kysely.transaction().execute(async (transaction) => {
    if (!(await isUnchanged(transaction, alert))) return [];
    const firing = await transaction.selectFrom('alert_firings').selectAll().where('alert_id', '=', alert.id).execute();
    const { fired, resolved } = changesOf(findings, firing);
    for (const finding of fired) {
      await addFiring(transaction, alert.id, finding);
      const event = { subject: finding.subject, subject_name: finding.name, value: finding.value };
      await raiseEvent(transaction, { alert, kind: 'fired', ...event, summary: firedSummary(condition, finding) });
    }
    for (const { subject, subject_name, value } of resolved) {
      await transaction
        .deleteFrom('alert_firings')
        .where('alert_id', '=', alert.id)
        .where('subject', '=', subject)
        .execute();
      const summary = resolvedSummary(condition, subject_name);
      await raiseEvent(transaction, { alert, kind: 'resolved', subject, subject_name, value, summary });
    }
    return [...fired.map(() => 'fired' as const), ...resolved.map(() => 'resolved' as const)];
  });
  for (const kind of raised) events.raised(alert.id, kind);
}

/** Locks the alert: a replica that is slower than the interval must not raise the same event again. */
async function isUnchanged(transaction: Queries, { id, updated_at }: DueAlert): Promise<boolean> {
  const query = transaction.selectFrom('alerts').select(['enabled', 'updated_at']).where('id', '=', id).forUpdate();
  const current = await query.executeTakeFirst();
  return current !== undefined && current.enabled && current.updated_at.getTime() === updated_at.getTime();
}

type Firing = Row<'alert_firings'>;

interface StateChanges {
  fired: AlertFinding[];
  resolved: (Pick<Firing, 'subject' | 'subject_name'> & { value: number | null })[];
}

function changesOf({ findings, absent }: AlertFindings, firing: readonly Firing[]): StateChanges {
  const known = new Set(firing.map(({ subject }) => subject));
  const found = new Map(findings.map((finding) => [finding.subject, finding]));
  return {
    fired: findings.filter(({ subject, met }) => met && !known.has(subject)).slice(0, mostEvents),
    resolved: firing
      .filter(({ subject }) => (found.has(subject) ? !found.get(subject)?.met : absent === 'resolved'))
      .slice(0, mostEvents)
      .map(({ subject, subject_name }) => ({ subject, subject_name, value: found.get(subject)?.value ?? null })),
  };
}

const addFiring = (transaction: Queries, alertId: string, { subject, name, value }: AlertFinding) =>
  transaction.insertInto('alert_firings').values({ alert_id: alertId, subject, subject_name: name, value }).execute();
