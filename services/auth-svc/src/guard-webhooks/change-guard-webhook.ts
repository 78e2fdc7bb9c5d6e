import { type GuardWebhookChanges, type GuardWebhookRecord, lastFour } from '@tallyport/management';
import { recordAudit, Secret } from '@tallyport/management-server';
import { guardWebhookColumns, guardWebhookPlace, guardWebhookRecord } from './guard-webhook-record.ts';
import type { GuardWebhookOwner, GuardWebhookTools } from './guard-webhook-tools.ts';

/** Resolves with `undefined` if the account has no such webhook. */
export function changeGuardWebhook(
  { database, secrets }: GuardWebhookTools,
  { accountId, actor }: GuardWebhookOwner,
  { id, changes: { url, secret } }: { id: string; changes: GuardWebhookChanges },
): Promise<GuardWebhookRecord | undefined> {
  return database.kysely.transaction().execute(async (transaction) => {
    const row = await transaction
      .updateTable('guard_webhooks')
      .set((set) => ({
        updated_at: set.fn<Date>('now'),
        ...(url !== undefined && { url, paused_until: null, problem: null }),
        ...(secret !== undefined && { last_four: lastFour(secret) }),
      }))
      .where('id', '=', id)
      .where('account_id', '=', accountId)
      .returning(guardWebhookColumns)
      .executeTakeFirst();
    if (row === undefined) return undefined;
    if (secret !== undefined) await secrets.keep(transaction, guardWebhookPlace(accountId, id), new Secret(secret));
    const detail = { url, ...(secret !== undefined && { secret: 'replaced' }) };
    await recordAudit(transaction, { accountId, actor, action: 'guard_webhook.changed', subject: id, detail });
    return guardWebhookRecord(row);
  });
}
