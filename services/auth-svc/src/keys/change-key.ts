import { type ApiKey, GatewayError, type KeyChanges } from '@tallyport/contracts';
import type { Database } from '@tallyport/database';
import { type AuditActor, recordAudit } from '@tallyport/management-server';
import { checkProject, notInProject } from './project-access.ts';
import { checkNamedWebhooks } from '../guard-webhooks/webhook-names.ts';
import { checkExpiry } from './create-key.ts';
import { checkGuardrails } from '../callers/guardrails.ts';
import { boundsAfter, checkWithinBounds, keyBoundsSchema } from './key-bounds.ts';
import { keyColumns, keyRecord, settingColumns } from './key-record.ts';
import { type KeyScope, noSuchKey, inScope } from './key-scope.ts';

interface KeyChangeResult {
  record: ApiKey;
  /** The hashes whose cached data is outdated. */
  hashes: string[];
}

interface KeyChange {
  id: string;
  actor: AuditActor;
  changes: KeyChanges;
  /**
   * Whether an admin makes the change. An admin's change sets the bounds of the key; a member's must stay within them.
   */
  byAdmin: boolean;
  /** Absent if a key makes the change. */
  userId?: string | undefined;
}

/** Changes the settings of a key. A revoked key cannot be changed; an expired one works again with a later expiry. */
export function changeKey(
  { kysely }: Database,
  scope: KeyScope,
  { id, actor, changes, byAdmin, userId }: KeyChange,
): Promise<KeyChangeResult> {
  checkExpiry(changes.expiresAt);
  checkGuardrails(changes.guardrails);
  return kysely.transaction().execute(async (transaction) => {
    await checkNamedWebhooks(transaction, scope.accountId, changes.guardrails);
    const before = await transaction
      .selectFrom('api_keys')
      .select([...keyColumns, 'bounds'])
      .where('id', '=', id)
      .where(inScope(scope))
      .where('revoked_at', 'is', null)
      .forUpdate()
      .executeTakeFirst();
    if (before === undefined) throw noSuchKey();
    if (typeof changes.projectId === 'string' && changes.projectId !== before.project_id) {
      if (before.is_admin) throw notInProject();
      const caller = { accountId: scope.accountId, byAdmin, userId };
      await checkProject(transaction, caller, { id: changes.projectId, role: 'member', param: 'projectId' });
    }
    const bounds = keyBoundsSchema.parse(before.bounds ?? {});
    if (!byAdmin) checkWithinBounds(changes, bounds);
    const after = byAdmin ? boundsAfter(changes, { bounds, before: keyRecord(before) }) : bounds;
    const row = await transaction
      .updateTable('api_keys')
      .set({ ...settingColumns(changes), bounds: JSON.stringify(after) })
      .where('id', '=', id)
      .returning([...keyColumns, 'key_hash', 'previous_hash'])
      .executeTakeFirstOrThrow();
    const { accountId } = scope;
    await recordAudit(transaction, { accountId, actor, action: 'key.changed', subject: id, detail: changes });
    return { record: keyRecord(row), hashes: hashesOf(row) };
  });
}

export const hashesOf = (row: { key_hash: string; previous_hash: string | null }): string[] =>
  row.previous_hash === null ? [row.key_hash] : [row.key_hash, row.previous_hash];

/** Throws `conflict` for the bootstrap key, which only its setting can change. */
export function refuseBootstrapKey(id: string): void {
  if (id !== 'bootstrap') return;
  throw new GatewayError('conflict', 'This key is set by BOOTSTRAP_API_KEY. Change the setting and restart.');
}
