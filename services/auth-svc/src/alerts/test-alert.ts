import type { AlertEvent } from '@tallyport/management';
import { recordAudit } from '../audit/audit.ts';
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
  const raised = await database.kysely.transaction().execute(async (transaction) => {
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
    const eventId = await raiseEvent(transaction, { alert, kind: 'test', ...subject, value: null, summary });
    return { eventId, emails: alert.emails };
  });
  if (raised === undefined) return undefined;
  tools.events.raised(id, 'test');
  await Promise.all([deliverEvent(tools, raised.eventId), askToConfirm(tools, accountId, raised.emails)]);
  return readAlertEvent(database, raised.eventId);
}
