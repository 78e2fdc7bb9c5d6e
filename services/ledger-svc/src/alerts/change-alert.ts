import { GatewayError } from '@tallyport/contracts';
import type { Queries, Row } from '@tallyport/database';
import { type AlertChanges, alertConditionSchema, lastFour, type WebhookInput } from '@tallyport/management';
import { jsonText, recordAudit, Secret } from '@tallyport/management-server';
import { isDeepStrictEqual } from 'node:util';
import { checkAlertName, lockAlertNames } from './alert-names.ts';
import { checkSubject } from './check-subject.ts';
import { readAlerts } from './alert-record.ts';
import type { AlertWithSecret } from './create-alert.ts';
import type { AlertOwner, AlertTools } from './tools.ts';
import { formatColumn, makeWebhookSecret, webhookHost, webhookSecretPlace } from './webhook-secret.ts';

interface AlertChange {
  id: string;
  changes: AlertChanges;
}

/** Changes an alert. Resolves with `undefined` if the account has no such alert. */
export function changeAlert(
  { database, secrets }: AlertTools,
  { accountId, actor }: AlertOwner,
  { id, changes }: AlertChange,
): Promise<AlertWithSecret | undefined> {
  return database.kysely.transaction().execute(async (transaction) => {
    const alerts = await lockAlertNames(transaction, accountId);
    if (!alerts.some((alert) => alert.id === id)) return undefined;
    const before = await transaction.selectFrom('alerts').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
    if (changes.name !== undefined) checkAlertName(alerts, { id, name: changes.name });
    checkReceivers(changes, before);
    const otherCondition = changesCondition(changes, before) ? changes.condition : undefined;
    if (otherCondition) await checkSubject(transaction, accountId, otherCondition);
    const { made, columns } = await keepSecret(transaction, changes.webhook, before.webhook_url);
    const row = { ...columnsOf(changes), ...columns };
    await transaction.updateTable('alerts').set(row).where('id', '=', id).execute();
    if (otherCondition || changes.enabled === false)
      await transaction.deleteFrom('alert_firings').where('alert_id', '=', id).execute();
    const detail = { ...changes, webhook: changes.webhook && webhookHost(changes.webhook.url) };
    await recordAudit(transaction, { accountId, actor, action: 'alert.changed', subject: id, detail });
    const [record] = await readAlerts(transaction, accountId, id);
    return record && { ...record, ...(made !== undefined && { webhookSecret: made }) };
  });

  /** A secret belongs to one URL. `made` is the secret if it was made here. */
  async function keepSecret(
    transaction: Queries,
    webhook: WebhookInput | null | undefined,
    urlBefore: string | null,
  ): Promise<{ made?: string | undefined; columns?: { webhook_last_four: string | null } }> {
    if (webhook === undefined) return {};
    if (webhook === null) {
      await transaction.deleteFrom('secrets').where('id', '=', id).execute();
      return { columns: { webhook_last_four: null } };
    }
    const made = webhook.secret === undefined && webhook.url !== urlBefore ? makeWebhookSecret() : undefined;
    const secret = webhook.secret ?? made;
    if (secret === undefined) return {};
    await secrets.keep(transaction, webhookSecretPlace(accountId, id), new Secret(secret));
    return { made, columns: { webhook_last_four: lastFour(secret) } };
  }
}

const columnsOf = ({ name, condition, webhook, emails, enabled }: AlertChanges) => ({
  updated_at: new Date(),
  ...(name !== undefined && { name }),
  ...(condition !== undefined && { condition: JSON.stringify(condition), checked_at: null }),
  ...(webhook !== undefined && webhookColumns(webhook)),
  ...(emails !== undefined && { emails: jsonText(emails) ?? null }),
  ...(enabled !== undefined && { enabled }),
});

const webhookColumns = (webhook: WebhookInput | null) => ({
  webhook_url: webhook?.url ?? null,
  ...((webhook === null || webhook.format !== undefined) && { webhook_format: formatColumn(webhook?.format) }),
});

function checkReceivers({ webhook, emails }: AlertChanges, before: Row<'alerts'>): void {
  const hasWebhook = webhook === undefined ? before.webhook_url !== null : webhook !== null;
  const hasEmails = emails === undefined ? before.emails !== null : emails !== null;
  if (hasWebhook || hasEmails) return;
  throw new GatewayError('invalid_parameters', 'An alert needs a webhook, or e-mail addresses. Or disable it.', {
    param: 'webhook',
  });
}

/** What another condition found says nothing about this one. */
const changesCondition = ({ condition }: AlertChanges, before: Row<'alerts'>): boolean =>
  condition !== undefined && !isDeepStrictEqual(condition, alertConditionSchema.parse(before.condition));
