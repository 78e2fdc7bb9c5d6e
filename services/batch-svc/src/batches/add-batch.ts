import { GatewayError } from '@tallyport/contracts';
import { type Queries, sql } from '@tallyport/database';
import type { Secrets } from '@tallyport/management-server';
import { makeContentKey } from '../files/content-key.ts';
import type { StoredBatch } from './stored-batches.ts';

/** A batch that does not exist yet. */
type NewBatch = Pick<
  StoredBatch,
  | 'id'
  | 'accountId'
  | 'projectId'
  | 'keyId'
  | 'api'
  | 'endpoint'
  | 'headers'
  | 'metadata'
  | 'inputFileId'
  | 'outputExpiresSeconds'
>;

/** Batches of an account that have not ended: each costs work, also while it waits. */
export const mostOpen = 100;
/** The window of both APIs. */
const windowHours = 24;

/**
 * Stores the batch, and the key of its results. Throws `rate_limit_exceeded` if the account has very many batches that have
 * not ended.
 */
export async function addBatch(queries: Queries, secrets: Secrets, batch: NewBatch): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`batches ${batch.accountId}`}, 0))`.execute(queries);
  const { open } = await queries
    .selectFrom('batches')
    .select(({ fn }) => fn.countAll<string>().as('open'))
    .where('account_id', '=', batch.accountId)
    .where('ended_at', 'is', null)
    .executeTakeFirstOrThrow();
  if (Number(open) >= mostOpen) throw tooManyOpen();
  await queries
    .insertInto('batches')
    .values({
      id: batch.id,
      account_id: batch.accountId,
      project_id: batch.projectId,
      key_id: batch.keyId,
      api: batch.api,
      endpoint: batch.endpoint,
      headers: JSON.stringify(batch.headers),
      metadata: batch.metadata && JSON.stringify(batch.metadata),
      state: 'validating',
      input_file_id: batch.inputFileId,
      output_expires_seconds: batch.outputExpiresSeconds,
      expires_at: sql<Date>`now() + ${windowHours} * interval '1 hour'`,
    })
    .execute();
  await makeContentKey(queries, secrets, batch);
}

const tooManyOpen = (): GatewayError =>
  new GatewayError(
    'rate_limit_exceeded',
    `Your account has ${mostOpen} batches that have not ended. Wait until one has, or cancel one.`,
    { retryAfterMs: 60_000 },
  );
