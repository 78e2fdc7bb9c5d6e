import { type ApiKey, GatewayError, type KeyChanges } from '@switchyard/contracts';
import { type Database, sql } from '@switchyard/database';
import { type AuditActor, recordAudit } from '../audit/audit.ts';
import { checkExpiry } from './create-key.ts';
import { keyColumns, keyRecord, settingColumns } from './key-record.ts';
import { type KeyScope, noSuchKey, scopeColumns } from './key-scope.ts';

export interface EndedTexts {
  record: ApiKey;
  /** What is known of these hashes is no longer so. */
  hashes: string[];
}

export interface KeyChange {
  id: string;
  actor: AuditActor;
  changes: KeyChanges;
}

/** Changes what a key may do; a revoked one stays as it is, and an expired one works again when it gets more time. */
export function changeKey(
  { kysely }: Database,
  scope: KeyScope,
  { id, actor, changes }: KeyChange,
): Promise<EndedTexts> {
  checkExpiry(changes.expiresAt);
  return kysely.transaction().execute(async (transaction) => {
    const row = await transaction
      .updateTable('api_keys')
      // Something must be set even where nothing is changed.
      .set({ id: sql`id`, ...settingColumns(changes) })
      .where((where) => where.and({ id, ...scopeColumns(scope) }))
      .where('revoked_at', 'is', null)
      .returning([...keyColumns, 'key_hash', 'previous_hash'])
      .executeTakeFirst();
    if (row === undefined) throw noSuchKey();
    const { accountId } = scope;
    await recordAudit(transaction, { accountId, actor, action: 'key.changed', subject: id, detail: changes });
    return { record: keyRecord(row), hashes: hashesOf(row) };
  });
}

export const hashesOf = (row: { key_hash: string; previous_hash: string | null }): string[] =>
  row.previous_hash === null ? [row.key_hash] : [row.key_hash, row.previous_hash];

/** The one key whose text is a setting is changed there. */
export function refuseBootstrapKey(id: string): void {
  if (id !== 'bootstrap') return;
  throw new GatewayError('conflict', 'This key is set by BOOTSTRAP_API_KEY: change the setting and restart.');
}
