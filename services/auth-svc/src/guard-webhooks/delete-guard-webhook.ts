import { GatewayError } from '@tallyport/contracts';
import type { GuardWebhookRecord } from '@tallyport/management';
import { recordAudit } from '@tallyport/management-server';
import { guardWebhookColumns, guardWebhookRecord } from './guard-webhook-record.ts';
import type { GuardWebhookOwner, GuardWebhookTools } from './guard-webhook-tools.ts';
import { isNamed, lockWebhookNames } from './webhook-names.ts';

/** Deletes a webhook and its secret. Resolves with `undefined` if the account has no such webhook. */
export function deleteGuardWebhook(
  { database }: GuardWebhookTools,
  { accountId, actor }: GuardWebhookOwner,
  id: string,
): Promise<GuardWebhookRecord | undefined> {
  return database.kysely.transaction().execute(async (transaction) => {
    await lockWebhookNames(transaction, accountId);
    const row = await transaction
      .deleteFrom('guard_webhooks')
      .where('id', '=', id)
      .where('account_id', '=', accountId)
      .returning(guardWebhookColumns)
      .executeTakeFirst();
    if (row === undefined) return undefined;
    if (await isNamed(transaction, accountId, row.name)) throw isUsed(row.name);
    await transaction.deleteFrom('secrets').where('id', '=', id).execute();
    const detail = { name: row.name, url: row.url };
    await recordAudit(transaction, { accountId, actor, action: 'guard_webhook.deleted', subject: id, detail });
    return guardWebhookRecord(row);
  });
}

const isUsed = (name: string): GatewayError =>
  new GatewayError(
    'conflict',
    `Guardrails of the account or of a key name the webhook ${name}. Remove it from them first.`,
  );
