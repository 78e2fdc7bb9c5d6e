import type { AlertEvent } from '@tallyport/management';
import { recordAudit } from '@tallyport/management-server';
import { deliverEvent, type DeliveryTools } from './deliveries/deliver.ts';
import { raiseEvent } from './raise-event.ts';
import { readAlertEvent } from './read-alert-history.ts';
import { askToConfirm, type ConfirmationTools } from './addresses/ask-to-confirm.ts';
import type { AlertOwner } from './tools.ts';

/** Sends a test to each receiver, once, and the link to those that are not confirmed. Resolves with `undefined` if the account has no such alert. */
export async function testAlert(
  tools: DeliveryTools & ConfirmationTools,
  { accountId, actor }: AlertOwner,
  id: string,
): Promise<AlertEvent | undefined> {
  const { database, attempts } = tools;
  const alert = await database.kysely
    .selectFrom('alerts')
    .selectAll()
    .where('id', '=', id)
    .where('account_id', '=', accountId)
    .executeTakeFirst();
  if (alert === undefined) return undefined;
  await attempts.count('alert_test', accountId);
  const eventId = await database.kysely.transaction().execute(async (transaction) => {
    await recordAudit(transaction, { accountId, actor, action: 'alert.tested', subject: id });
    const summary = `This is a test of the alert ${alert.name}. Nothing has happened.`;
    const subject = { subject: id, subject_name: alert.name };
    return raiseEvent(transaction, { alert, kind: 'test', ...subject, value: null, summary });
  });
  tools.events.raised(id, 'test');
  await Promise.all([deliverEvent(tools, eventId), askToConfirm(tools, accountId, alert.emails)]);
  return readAlertEvent(database, eventId);
}
