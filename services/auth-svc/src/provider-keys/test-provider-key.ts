import type { ProviderKeyProblem, ProviderKeyTest, ProviderKeyTestResult } from '@tallyport/contracts';
import { recordAudit, recordKeyUse } from '@tallyport/management-server';
import { providerKeyPlace } from './provider-key-place.ts';
import type { ProviderKeyOwner, ProviderKeyTools } from './tools.ts';

export interface ProviderKeyTestTools extends ProviderKeyTools {
  /** Calls the provider with a key. */
  callWithKey(test: ProviderKeyTest): Promise<ProviderKeyTestResult>;
}

/** Tests a key, enabled or not, and records what happened. Resolves with `undefined` if the account has no such key. */
export async function testProviderKey(
  { database, secrets, callWithKey }: ProviderKeyTestTools,
  { accountId, actor }: ProviderKeyOwner,
  id: string,
): Promise<ProviderKeyTestResult | undefined> {
  const { kysely } = database;
  const row = await kysely
    .selectFrom('provider_keys')
    .select('provider')
    .where('id', '=', id)
    .where('account_id', '=', accountId)
    .executeTakeFirst();
  const key = row && (await secrets.read(kysely, providerKeyPlace(accountId, id)));
  if (row === undefined || key === undefined) return undefined;
  const result = await callWithKey({ provider: row.provider, key: key.reveal() });
  const { ok, problem, model } = result;
  const at = new Date().toISOString();
  const type = problem && errorTypes[problem];
  if (model !== undefined)
    await recordKeyUse(database, id, { usedAt: at, ...(ok && { workedAt: at }), ...(type && { error: { type, at } }) });
  await recordAudit(kysely, { accountId, actor, action: 'provider_key.tested', subject: id, detail: { ok, problem } });
  return result;
}

/** The errors that requests with this problem have. */
const errorTypes: Partial<Record<ProviderKeyProblem, string>> = {
  refused: 'own_key_refused',
  billing: 'own_key_billing',
  rate_limited: 'own_key_rate_limited',
  model_not_found: 'own_key_model_not_found',
};
