import { type ApiKey, hashKey, makeKey, recognisablePart } from '@tallyport/contracts';
import { type Database, sql } from '@tallyport/database';
import { type AuditActor, recordAudit } from '@tallyport/management-server';
import { hashesOf, refuseBootstrapKey } from './change-key.ts';
import { refusePlaygroundKey } from './playground-key-id.ts';
import { checkUnused } from './check-unused.ts';
import { keyColumns, keyRecord } from './key-record.ts';
import { type KeyScope, noSuchKey, inScope } from './key-scope.ts';

interface Rotation {
  id: string;
  actor: AuditActor;
  /** How long the previous version keeps working; 0 ends it at once. */
  overlapMinutes: number;
  /** The new text; generated if absent. */
  key?: string | undefined;
}

interface RotatedKey {
  /** Only returned here. */
  key: string;
  record: ApiKey;
  /** The hashes whose cached data is outdated. */
  hashes: string[];
}

/** Rotates a key. Of its earlier versions, only the latest keeps working, for the overlap. */
export function rotateKey(
  { kysely }: Database,
  scope: KeyScope,
  { id, actor, overlapMinutes, key = makeKey() }: Rotation,
): Promise<RotatedKey> {
  refuseBootstrapKey(id);
  return kysely.transaction().execute(async (transaction) => {
    refusePlaygroundKey(id);
    const before = await transaction
      .selectFrom('api_keys')
      .select(['key_hash', 'previous_hash'])
      .where('id', '=', id)
      .where(inScope(scope))
      .where('revoked_at', 'is', null)
      .forUpdate()
      .executeTakeFirst();
    if (before === undefined) throw noSuchKey();
    await checkUnused(transaction, key);
    const row = await transaction
      .updateTable('api_keys')
      .set({
        key_hash: hashKey(key),
        prefix: recognisablePart(key),
        previous_hash: before.key_hash,
        previous_until: sql<Date>`now() + make_interval(mins => ${overlapMinutes}::int)`,
      })
      .where('id', '=', id)
      .returning(keyColumns)
      .executeTakeFirstOrThrow();
    const detail = { overlapMinutes };
    await recordAudit(transaction, { accountId: scope.accountId, actor, action: 'key.rotated', subject: id, detail });
    return { key, record: keyRecord(row), hashes: hashesOf(before) };
  });
}
