import { GatewayError } from '@tallyport/contracts';
import { type AlertRecord, lastFour, type NewAlert } from '@tallyport/management';
import { jsonText, makeId, recordAudit, Secret } from '@tallyport/management-server';
import { checkAlertName, lockAlertNames } from './alert-names.ts';
import { checkSubject } from './check-subject.ts';
import { readAlerts } from './alert-record.ts';
import type { AlertOwner, AlertTools } from './tools.ts';
import { formatColumn, makeWebhookSecret, webhookHost, webhookSecretPlace } from './webhook-secret.ts';

/** Each is checked twice a minute. */
export const maxAlerts = 50;

export type AlertWithSecret = AlertRecord & { webhookSecret?: string };

/** Creates an alert, and a secret for its webhook unless there is one. */
export function createAlert(
  { database, secrets }: AlertTools,
  { accountId, actor }: AlertOwner,
  { name, condition, webhook, emails, enabled }: NewAlert,
): Promise<AlertWithSecret> {
  const id = makeId('alert');
  const made = webhook && webhook.secret === undefined ? makeWebhookSecret() : undefined;
  const secret = webhook?.secret ?? made;
  return database.kysely.transaction().execute(async (transaction) => {
    const alerts = await lockAlertNames(transaction, accountId);
    if (alerts.length >= maxAlerts) throw tooMany();
    checkAlertName(alerts, { id, name });
    await checkSubject(transaction, accountId, condition);
    if (secret !== undefined) await secrets.keep(transaction, webhookSecretPlace(accountId, id), new Secret(secret));
    await transaction
      .insertInto('alerts')
      .values({
        id,
        account_id: accountId,
        name,
        condition: JSON.stringify(condition),
        webhook_url: webhook?.url ?? null,
        webhook_last_four: secret === undefined ? null : lastFour(secret),
        webhook_format: formatColumn(webhook?.format),
        emails: jsonText(emails) ?? null,
        enabled,
      })
      .execute();
    const detail = { name, condition, emails, webhook: webhook && webhookHost(webhook.url) };
    await recordAudit(transaction, { accountId, actor, action: 'alert.created', subject: id, detail });
    const [record] = await readAlerts(transaction, accountId, id);
    if (record === undefined) throw new TypeError('The alert was created.');
    return { ...record, ...(made !== undefined && { webhookSecret: made }) };
  });
}

const tooMany = (): GatewayError =>
  new GatewayError(
    'invalid_parameters',
    `An account can have at most ${maxAlerts} alerts. Delete one that is no longer used.`,
  );
