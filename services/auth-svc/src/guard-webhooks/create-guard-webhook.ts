import { GatewayError } from '@tallyport/contracts';
import { type GuardWebhookRecord, lastFour, type NewGuardWebhook } from '@tallyport/management';
import { makeId, recordAudit, Secret } from '@tallyport/management-server';
import { guardWebhookColumns, guardWebhookPlace, guardWebhookRecord } from './guard-webhook-record.ts';
import type { GuardWebhookOwner, GuardWebhookTools } from './guard-webhook-tools.ts';
import { lockWebhookNames } from './webhook-names.ts';

/** All webhooks of an account travel in one message. */
export const maxGuardWebhooks = 10;

export function createGuardWebhook(
  { database, secrets }: GuardWebhookTools,
  { accountId, actor }: GuardWebhookOwner,
  { name, url, secret }: NewGuardWebhook,
): Promise<GuardWebhookRecord> {
  const id = makeId('guard_webhook');
  return database.kysely.transaction().execute(async (transaction) => {
    const names = await lockWebhookNames(transaction, accountId);
    if (names.length >= maxGuardWebhooks) throw tooMany();
    if (names.includes(name)) throw nameTaken(name);
    await secrets.keep(transaction, guardWebhookPlace(accountId, id), new Secret(secret));
    const row = await transaction
      .insertInto('guard_webhooks')
      .values({ id, account_id: accountId, name, url, last_four: lastFour(secret) })
      .returning(guardWebhookColumns)
      .executeTakeFirstOrThrow();
    const detail = { name, url };
    await recordAudit(transaction, { accountId, actor, action: 'guard_webhook.created', subject: id, detail });
    return guardWebhookRecord(row);
  });
}

const tooMany = (): GatewayError =>
  new GatewayError(
    'invalid_parameters',
    `An account can have at most ${maxGuardWebhooks} webhooks. Delete one that is no longer used.`,
  );

const nameTaken = (name: string): GatewayError =>
  new GatewayError('conflict', `This account already has a webhook named ${name}. Choose another name.`, {
    param: 'name',
  });
