import type { Database } from '@tallyport/database';
import type { GuardWebhookRecord } from '@tallyport/management';
import { guardWebhookColumns, guardWebhookRecord } from './guard-webhook-record.ts';

/** Lists the webhooks, oldest first. */
export async function listGuardWebhooks({ kysely }: Database, accountId: string): Promise<GuardWebhookRecord[]> {
  const rows = await kysely
    .selectFrom('guard_webhooks')
    .select(guardWebhookColumns)
    .where('account_id', '=', accountId)
    .orderBy('created_at')
    .orderBy('id')
    .execute();
  return rows.map(guardWebhookRecord);
}
