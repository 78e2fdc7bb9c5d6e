import {
  type ApiKey,
  defaultAccountId,
  GatewayError,
  hashKey,
  makeKey,
  type NewKey,
  recognisablePart,
} from '@tallyport/contracts';
import { type Database, type Queries, sql } from '@tallyport/database';
import { type AuditActor, makeId, recordAudit } from '@tallyport/management-server';
import { checkProject, notInProject } from './project-access.ts';
import { checkNamedWebhooks } from '../guard-webhooks/webhook-names.ts';
import { checkUnused } from './check-unused.ts';
import { checkGuardrails } from '../callers/guardrails.ts';
import { keyColumns, keyRecord, settingColumns } from './key-record.ts';

interface KeyMaker {
  accountId: string;
  actor: AuditActor;
  userId?: string | undefined;
  /** Whether the maker is an admin of the account, who may use all its projects. */
  byAdmin: boolean;
}

interface CreatedKey {
  /** Only returned here. */
  key: string;
  record: ApiKey;
}

/** The creator of keys made by commands and at the start. */
export const operator: KeyMaker = { accountId: defaultAccountId, actor: 'operator', byAdmin: true };

const maxKeys = 1_000;

/** Creates a key. An account can have at most 1,000 active keys. `key` sets its text, if that is already known. */
export function createKey(
  { kysely }: Database,
  maker: KeyMaker,
  { key = makeKey(), admin = false, ...settings }: NewKey & { key?: string | undefined },
): Promise<CreatedKey> {
  const { accountId, actor, userId } = maker;
  const { projectId } = settings;
  if (admin && projectId !== undefined) throw notInProject();
  checkExpiry(settings.expiresAt);
  checkGuardrails(settings.guardrails);
  return kysely.transaction().execute(async (transaction) => {
    await checkRoom(transaction, accountId);
    await checkUnused(transaction, key);
    if (projectId) await checkProject(transaction, maker, { id: projectId, role: 'member', param: 'projectId' });
    await checkNamedWebhooks(transaction, accountId, settings.guardrails);
    const row = await transaction
      .insertInto('api_keys')
      .values({
        ...settingColumns(settings),
        name: settings.name,
        id: makeId('key'),
        account_id: accountId,
        user_id: userId ?? null,
        is_admin: admin,
        prefix: recognisablePart(key),
        key_hash: hashKey(key),
      })
      .returning(keyColumns)
      .executeTakeFirstOrThrow();
    const detail = { ...settings, ...(admin && { admin }) };
    await recordAudit(transaction, { accountId, actor, action: 'key.created', subject: row.id, detail });
    return { key, record: keyRecord(row) };
  });
}

/** A key that never works is a mistake. Later the database decides about expiry, by its own clock. */
export function checkExpiry(expiresAt: string | null | undefined): void {
  if (!expiresAt || Date.parse(expiresAt) > Date.now()) return;
  throw new GatewayError('invalid_parameters', 'expiresAt is in the past. Choose a later time, or revoke the key.', {
    param: 'expiresAt',
  });
}

/** Locks the account, so that concurrent calls cannot exceed the limit. */
async function checkRoom(transaction: Queries, accountId: string): Promise<void> {
  const account = transaction.selectFrom('accounts').select('id').where('id', '=', accountId);
  if ((await account.forUpdate().executeTakeFirst()) === undefined) {
    throw new GatewayError('not_found', `There is no account with the id ${accountId}.`, { param: 'accountId' });
  }
  const working = await transaction
    .selectFrom('api_keys')
    .select('id')
    .where('account_id', '=', accountId)
    .where('revoked_at', 'is', null)
    .where((where) => where.or([where('expires_at', 'is', null), where('expires_at', '>', sql<Date>`now()`)]))
    .limit(maxKeys)
    .execute();
  if (working.length < maxKeys) return;
  throw new GatewayError('conflict', `An account can have at most ${maxKeys} keys. Revoke one that is no longer used.`);
}
