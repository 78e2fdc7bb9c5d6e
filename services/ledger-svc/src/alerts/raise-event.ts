import { type Queries, type Row, sql } from '@tallyport/database';
import { makeId } from '@tallyport/management-server';

interface RaisedEvent extends Pick<Row<'alert_events'>, 'kind' | 'subject' | 'subject_name' | 'value' | 'summary'> {
  alert: Pick<Row<'alerts'>, 'id' | 'account_id' | 'name' | 'condition' | 'webhook_url' | 'emails'>;
}

/** Records an event and the messages about it, which are sent from now on. Returns the id of the event. */
export async function raiseEvent(queries: Queries, { alert, ...event }: RaisedEvent): Promise<string> {
  const id = makeId('alert_event');
  await queries
    .insertInto('alert_events')
    .values({
      ...event,
      id,
      account_id: alert.account_id,
      alert_id: alert.id,
      alert_name: alert.name,
      condition: JSON.stringify(alert.condition),
    })
    .execute();
  const receivers = [
    ...(alert.webhook_url === null ? [] : [{ channel: 'webhook' as const, target: alert.webhook_url }]),
    ...(alert.emails ?? []).map((target) => ({ channel: 'email' as const, target })),
  ];
  const due = sql<Date>`now()`;
  await queries
    .insertInto('alert_deliveries')
    .values(
      receivers.map((receiver) => ({
        id: makeId('alert_delivery'),
        event_id: id,
        ...receiver,
        next_attempt_at: due,
      })),
    )
    .execute();
  return id;
}
