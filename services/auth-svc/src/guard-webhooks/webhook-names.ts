import { GatewayError, type Guardrails } from '@tallyport/contracts';
import { type Queries, sql } from '@tallyport/database';

/** The names of an account's webhooks. Locks the account, so that they do not change during the transaction. */
export async function lockWebhookNames(transaction: Queries, accountId: string): Promise<string[]> {
  await transaction.selectFrom('accounts').select('id').where('id', '=', accountId).forUpdate().execute();
  const query = transaction.selectFrom('guard_webhooks').select('name').where('account_id', '=', accountId);
  return (await query.execute()).map(({ name }) => name);
}

/** Throws `invalid_parameters` if rules name a webhook that the account lacks. Locks the account if they name one. */
export async function checkNamedWebhooks(
  transaction: Queries,
  accountId: string,
  guardrails: Guardrails | null | undefined,
): Promise<void> {
  const named = namedIn(guardrails ?? {});
  if (named.length === 0) return;
  const names = await lockWebhookNames(transaction, accountId);
  const missing = named.find(({ name }) => !names.includes(name));
  if (missing === undefined) return;
  throw new GatewayError(
    'invalid_parameters',
    `This account has no webhook named ${missing.name}. List all webhooks: GET /api/v1/guard-webhooks`,
    { param: missing.param },
  );
}

const namedIn = (guardrails: Guardrails) =>
  (['request', 'answer'] as const).flatMap((part) => {
    const name = guardrails[part]?.webhook?.name;
    return name === undefined ? [] : [{ name, param: `guardrails.${part}.webhook.name` }];
  });

/** Whether rules of the account, or of a key that is not revoked, name the webhook. */
export async function isNamed(transaction: Queries, accountId: string, name: string): Promise<boolean> {
  const names = sql<boolean>`(guardrails #>> '{request,webhook,name}' = ${name} or guardrails #>> '{answer,webhook,name}' = ${name})`;
  const account = transaction.selectFrom('accounts').select('id').where('id', '=', accountId).where(names);
  if ((await account.executeTakeFirst()) !== undefined) return true;
  const key = transaction.selectFrom('api_keys').select('id').where('account_id', '=', accountId);
  return (await key.where('revoked_at', 'is', null).where(names).limit(1).executeTakeFirst()) !== undefined;
}
