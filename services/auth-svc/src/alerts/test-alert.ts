import type { AlertEvent } from '@tallyport/management';
import { recordAudit } from '../audit/audit.ts';
import { deliverEvent, type DeliveryTools } from './deliveries/deliver.ts';
import { raiseEvent } from './raise-event.ts';
import { readAlertEvent } from './read-alert-history.ts';
import type { Attempts } from '../sessions/attempts.ts';
import type { AlertOwner } from './tools.ts';

export interface TestLimit {
  attempts: Pick<Attempts, 'count'>;
}

/** Sends a test to each receiver, once. Resolves with `undefined` if the account has no such alert. */
export async function testAlert(
  tools: DeliveryTools & TestLimit,
  { accountId, actor }: AlertOwner,
  id: string,
): Promise<AlertEvent | undefined> {
  const { database, attempts } = tools;
  const eventId = await database.kysely.transaction().execute(async (transaction) => {
    const alert = await transaction
      .selectFrom('alerts')
      .selectAll()
      .where('id', '=', id)
      .where('account_id', '=', accountId)
      .executeTakeFirst();
    if (alert === undefined) return undefined;
    await attempts.count('alert_test', accountId);
    await recordAudit(transaction, { accountId, actor, action: 'alert.tested', subject: id });
    const summary = `This is a test of the alert ${alert.name}. Nothing has happened.`;
    const subject = { subject: id, subject_name: alert.name };
    return raiseEvent(transaction, { alert, kind: 'test', ...subject, value: null, summary });
  });
  if (eventId === undefined) return undefined;
  tools.events.raised(id, 'test');
  await deliverEvent(tools, eventId);
  return readAlertEvent(database, eventId);
}
