import { type Database, type Queries, type Row, sql } from '@tallyport/database';
import type { BatchApi } from './batch-api.ts';
import type { FileOwner } from '../files/file-owner.ts';
import { type AnsweredBy, readAnsweredBy } from './answered-by.ts';
import { noSuchBatch } from './batch-id.ts';

/** An error of a line of the input, or of the whole batch. */
export interface BatchError {
  code: string;
  message: string;
  line: number | null;
  param: string | null;
}

export interface StoredBatch extends FileOwner {
  id: string;
  keyId: string;
  api: BatchApi;
  endpoint: string;
  /** The headers of its request that count for each of its lines. */
  headers: Record<string, string>;
  metadata: Record<string, string> | null;
  state: Row<'batches'>['state'];
  ending: Row<'batches'>['ending'];
  errors: readonly BatchError[];
  inputFileId: string;
  outputFileId: string | null;
  errorFileId: string | null;
  outputExpiresSeconds: number | null;
  model: string | null;
  counts: { total: number; completed: number; failed: number };
  tokens: { input: number; cached: number; output: number; reasoning: number };
  /** In USD, as Postgres writes it. */
  cost: string;
  answeredBy: readonly AnsweredBy[];
  /** In billionths of a dollar: what all lines may cost, if that is known, and those that have not ended. */
  estimate: number | null;
  reserved: number;
  createdAt: Date;
  expiresAt: Date;
  inProgressAt: Date | null;
  cancellingAt: Date | null;
  finalizingAt: Date | null;
  endedAt: Date | null;
}

/** A part of the list of an owner's batches, the newest first. */
export interface BatchPage {
  limit: number;
  /** The page begins behind it, or ends before it. Throws `not_found` for an id that is not in the list. */
  after?: string | undefined;
  before?: string | undefined;
}

/** Whose batches, in the API of which clients. */
export interface BatchOwner extends FileOwner {
  api: BatchApi;
}

/** Throws `not_found` for unknown ones and those of other owners. */
export async function findBatch(
  { kysely }: Pick<Database, 'kysely'>,
  owner: BatchOwner,
  id: string,
): Promise<StoredBatch> {
  const row = await batchesOf(kysely, owner).where('id', '=', id).executeTakeFirst();
  if (row === undefined) throw noSuchBatch();
  return batchOf(row);
}

/** One batch more than the page has, if there are more. */
export async function listBatches(database: Database, owner: BatchOwner, page: BatchPage): Promise<StoredBatch[]> {
  const { limit, after, before } = page;
  let query = batchesOf(database.kysely, owner);
  const placeOf = async (named: string) => {
    const { id } = await findBatch(database, owner, named);
    return sql`(select created_at, id from batches where id = ${id})`;
  };
  if (after !== undefined) query = query.where(sql<boolean>`(created_at, id) < ${await placeOf(after)}`);
  if (before !== undefined) query = query.where(sql<boolean>`(created_at, id) > ${await placeOf(before)}`);
  const order = before === undefined ? 'desc' : 'asc';
  const rows = await query
    .orderBy('created_at', order)
    .orderBy('id', order)
    .limit(limit + 1)
    .execute();
  return rows.map(batchOf);
}

const batchesOf = (queries: Queries, owner: BatchOwner) => queries.selectFrom('batches').selectAll().where(isOf(owner));

export const isOf = ({ api, accountId, projectId }: BatchOwner) => sql<boolean>`account_id = ${accountId}
  and project_id is not distinct from ${projectId}::text and api = ${api}`;

export const batchOf = (row: Row<'batches'>): StoredBatch => ({
  id: row.id,
  accountId: row.account_id,
  projectId: row.project_id,
  keyId: row.key_id,
  api: row.api,
  endpoint: row.endpoint,
  headers: row.headers as Record<string, string>,
  metadata: row.metadata as Record<string, string> | null,
  state: row.state,
  ending: row.ending,
  errors: (row.errors ?? []) as BatchError[],
  inputFileId: row.input_file_id,
  outputFileId: row.output_file_id,
  errorFileId: row.error_file_id,
  outputExpiresSeconds: row.output_expires_seconds,
  model: row.model,
  counts: { total: row.total, completed: row.completed, failed: row.failed },
  tokens: {
    input: Number(row.input_tokens),
    cached: Number(row.cached_tokens),
    output: Number(row.output_tokens),
    reasoning: Number(row.reasoning_tokens),
  },
  cost: row.cost,
  answeredBy: readAnsweredBy(row.answered_by),
  estimate: row.estimate === null ? null : Number(row.estimate),
  reserved: Number(row.reserved),
  createdAt: row.created_at,
  expiresAt: row.expires_at,
  inProgressAt: row.in_progress_at,
  cancellingAt: row.cancelling_at,
  finalizingAt: row.finalizing_at,
  endedAt: row.ended_at,
});
