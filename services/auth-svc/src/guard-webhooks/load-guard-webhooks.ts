import { GatewayError, type GuardWebhook } from '@tallyport/contracts';
import { guardWebhookPlace } from './guard-webhook-record.ts';
import type { GuardWebhookTools } from './guard-webhook-tools.ts';

/**
 * Returns the webhooks of an account with their secrets in plain text. This is the only way to read the secrets.
 * Throws `unavailable` if one cannot be decrypted.
 */
export async function loadGuardWebhooks(
  { database, secrets }: GuardWebhookTools,
  accountId: string,
): Promise<GuardWebhook[]> {
  const rows = await database.kysely
    .selectFrom('guard_webhooks as webhook')
    .leftJoin('secrets', 'secrets.id', 'webhook.id')
    .select(['webhook.id', 'webhook.name', 'webhook.url', 'secrets.key_id', 'secrets.sealed'])
    .where('webhook.account_id', '=', accountId)
    .execute();
  return rows.map(({ id, name, url, key_id, sealed }) => {
    if (key_id === null || sealed === null) throw secretMissing(id);
    const secret = secrets.unseal({ key_id, sealed }, guardWebhookPlace(accountId, id)).reveal();
    return { id, name, url, secret };
  });
}

const secretMissing = (id: string): GatewayError =>
  new GatewayError('unavailable', 'The secret of a webhook is missing. An owner must set it again.', {
    detail: `there is no secret for ${id}`,
  });
