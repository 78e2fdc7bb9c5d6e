import { GatewayError } from '@tallyport/contracts';
import { type Database, type Queries, sql } from '@tallyport/database';
import type { FileOwner } from './file-owner.ts';

/** What an account may keep. */
export interface FileQuota {
  maxBytes: number;
  maxFiles: number;
}

export interface FileUpload extends FileOwner {
  id: string;
  /** After this time the upload counts as abandoned. */
  endsInMs: number;
}

/** What is known of a file once its content is stored. */
interface FinishedFile {
  filename: string;
  purpose: string;
  mediaType: string;
  bytes: number;
  expiresInSeconds: number | undefined;
  /** No client sees it. */
  isKept?: true;
}

/** An upload ends this long after its request could have ended, with a margin for the clocks. */
export const uploadGraceMs = 60_000;

/** Notes a file before its content is stored. Throws `storage_quota_exceeded` if the account has as many as it may. */
export function beginUpload({ kysely }: Database, upload: FileUpload, { maxFiles }: FileQuota): Promise<void> {
  const { id, accountId, projectId, endsInMs } = upload;
  return kysely.transaction().execute(async (transaction) => {
    const { files } = await keptBy(transaction, accountId);
    if (files >= maxFiles) throw quotaExceeded(`${maxFiles} files`);
    await transaction
      .insertInto('files')
      .values({ id, account_id: accountId, project_id: projectId, status: 'uploading', sweep_at: after(endsInMs) })
      .execute();
  });
}

/** How much is reserved at once: an upload asks the database this often. */
const reservedAtOnce = 8 * 1024 ** 2;

/** Reserves space for more of the content. Returns how much the file has then; throws `storage_quota_exceeded` for none. */
export function reserveSpace(
  { kysely }: Database,
  { id, accountId }: FileUpload,
  { maxBytes }: FileQuota,
): Promise<number> {
  return kysely.transaction().execute(async (transaction) => {
    const { bytes } = await keptBy(transaction, accountId);
    const more = Math.min(reservedAtOnce, maxBytes - bytes);
    if (more <= 0) throw quotaExceeded(`${maxBytes} bytes`);
    const row = await transaction
      .updateTable('files')
      .set({ bytes: sql<number>`bytes + ${more}` })
      .where('id', '=', id)
      .where('status', '=', 'uploading')
      .returning('bytes')
      .executeTakeFirst();
    if (row === undefined) throw abandoned();
    return Number(row.bytes);
  });
}

/** What an account keeps, uploads included. Others of the account wait until the transaction ends. */
async function keptBy(transaction: Queries, accountId: string): Promise<{ files: number; bytes: number }> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`files ${accountId}`}, 0))`.execute(transaction);
  const { rows } = await sql<{ files: string; bytes: string }>`
    select count(*) as files, coalesce(sum(bytes), 0) as bytes from files
    where account_id = ${accountId} and status <> 'deleted'`.execute(transaction);
  return { files: Number(rows[0]?.files), bytes: Number(rows[0]?.bytes) };
}

/** Makes the file visible, unless it is `isKept`. */
export async function finishUpload(
  queries: Queries,
  { id }: Pick<FileUpload, 'id'>,
  finished: FinishedFile,
): Promise<void> {
  const { expiresInSeconds, filename, purpose, mediaType, bytes, isKept } = finished;
  const expiresAt =
    expiresInSeconds === undefined ? null : sql<Date>`created_at + ${expiresInSeconds} * interval '1 second'`;
  const { numUpdatedRows } = await queries
    .updateTable('files')
    .set({
      status: isKept ? 'kept' : 'ready',
      filename,
      purpose,
      media_type: mediaType,
      bytes,
      expires_at: expiresAt,
      sweep_at: expiresAt,
    })
    .where('id', '=', id)
    .where('status', '=', 'uploading')
    .executeTakeFirst();
  if (numUpdatedRows === 0n) throw abandoned();
}

/** What is stored of the upload is removed next. Returns `false` for one that was finished, also if that was not confirmed. */
export async function abandonUpload({ kysely }: Database, { id }: FileUpload): Promise<boolean> {
  const { numUpdatedRows } = await kysely
    .updateTable('files')
    .set({ status: 'deleted', sweep_at: sql<Date>`now()` })
    .where('id', '=', id)
    .where('status', '=', 'uploading')
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

const after = (ms: number) => sql<Date>`now() + ${ms} * interval '1 millisecond'`;

const quotaExceeded = (limit: string): GatewayError =>
  new GatewayError(
    'storage_quota_exceeded',
    `The files of your account have reached the limit of ${limit}. Delete some with DELETE /v1/files/{id}.`,
  );

const abandoned = (): GatewayError =>
  new GatewayError('deadline_exceeded', 'The upload took too long and was abandoned. Send the file again.');
