import { defaultAccountId, GatewayError } from '@tallyport/contracts';
import { type Database, type Queries, sql } from '@tallyport/database';
import type { Account, accountChangesSchema } from '@tallyport/management';
import { type AuditActor, jsonText, makeId, recordAudit } from '@tallyport/management-server';
import type { z } from 'zod';
import { checkNamedWebhooks } from '../guard-webhooks/webhook-names.ts';
import { checkGuardrails } from '../callers/guardrails.ts';
import { accountRecord } from './account-record.ts';

const most = 10_000;

export async function readAccount({ kysely }: Database, id: string): Promise<Account> {
  const row = await kysely.selectFrom('accounts').selectAll().where('id', '=', id).executeTakeFirst();
  if (row === undefined) throw noSuchAccount();
  return accountRecord(row);
}

export async function listAccounts({ kysely }: Database): Promise<Account[]> {
  const rows = await kysely
    .selectFrom('accounts')
    .selectAll()
    .orderBy('created_at')
    .orderBy('id')
    .limit(most)
    .execute();
  return rows.map(accountRecord);
}

export async function isOnlyAccount({ kysely }: Database, id: string): Promise<boolean> {
  const other = await kysely.selectFrom('accounts').select('id').where('id', '!=', id).limit(1).executeTakeFirst();
  return other === undefined;
}

export async function createAccount(
  transaction: Queries,
  { name, actor }: { name: string; actor: AuditActor },
): Promise<Account> {
  const row = await transaction
    .insertInto('accounts')
    .values({ id: makeId('account'), name })
    .returningAll()
    .executeTakeFirstOrThrow();
  await recordAudit(transaction, {
    accountId: row.id,
    actor,
    action: 'account.created',
    subject: row.id,
    detail: { name },
  });
  return accountRecord(row);
}

export interface AccountChange {
  id: string;
  actor: AuditActor;
  changes: z.infer<typeof accountChangesSchema> & { suspended?: boolean | undefined };
}

export function changeAccount({ kysely }: Database, { id, actor, changes }: AccountChange): Promise<Account> {
  if (id === defaultAccountId && changes.suspended === true) throw notDefault();
  checkGuardrails(changes.guardrails);
  return kysely.transaction().execute(async (transaction) => {
    await checkNamedWebhooks(transaction, id, changes.guardrails);
    const row = await transaction
      .updateTable('accounts')
      .set({
        // An update must set at least one column, even if nothing changes.
        id: sql`id`,
        name: changes.name,
        tags: jsonText(changes.tags),
        cache_ttl_seconds: changes.cacheTtlSeconds,
        prompt_caching: changes.promptCaching,
        score_weights: jsonText(changes.scoreWeights),
        provider_key_mode: changes.providerKeyMode,
        limits: jsonText(changes.limits),
        budget: jsonText(changes.budget),
        guardrails: jsonText(changes.guardrails),
        content_log: jsonText(changes.contentLog),
        suspended_at: suspension(changes.suspended),
      })
      .where('id', '=', id)
      .returningAll()
      .executeTakeFirst();
    if (row === undefined) throw noSuchAccount();
    await recordAudit(transaction, { accountId: id, actor, action: 'account.changed', subject: id, detail: changes });
    return accountRecord(row);
  });
}

/** Suspending an account again keeps the original time. */
const suspension = (suspended: boolean | undefined) =>
  suspended === true ? sql<Date>`coalesce(suspended_at, now())` : suspended === false ? null : undefined;

const noSuchAccount = (): GatewayError =>
  new GatewayError('not_found', 'This account does not exist. List all accounts: GET /api/v1/accounts');

const notDefault = (): GatewayError =>
  new GatewayError('conflict', 'The default account operates the installation and cannot be suspended.', {
    param: 'suspended',
  });
