import type { StoredBatch } from '../batches/stored-batches.ts';

/** A batch as clients of OpenAI's API see it. */
export function batchObject(batch: StoredBatch) {
  const { tokens, state } = batch;
  return {
    id: batch.id,
    object: 'batch',
    endpoint: batch.endpoint,
    ...(batch.model !== null && { model: batch.model }),
    errors: batch.errors.length === 0 ? null : { object: 'list', data: batch.errors },
    input_file_id: batch.inputFileId,
    completion_window: '24h',
    status: state,
    output_file_id: batch.outputFileId,
    error_file_id: batch.errorFileId,
    created_at: unixTime(batch.createdAt),
    expires_at: unixTime(batch.expiresAt),
    ...(batch.inProgressAt && { in_progress_at: unixTime(batch.inProgressAt) }),
    ...(batch.cancellingAt && { cancelling_at: unixTime(batch.cancellingAt) }),
    ...(batch.finalizingAt && { finalizing_at: unixTime(batch.finalizingAt) }),
    ...(batch.endedAt && { [`${state}_at`]: unixTime(batch.endedAt) }),
    request_counts: batch.counts,
    usage: {
      input_tokens: tokens.input,
      input_tokens_details: { cached_tokens: tokens.cached },
      output_tokens: tokens.output,
      output_tokens_details: { reasoning_tokens: tokens.reasoning },
      total_tokens: tokens.input + tokens.output,
    },
    answered_by: batch.answeredBy,
    metadata: batch.metadata,
  };
}

export const batchListObject = (batches: readonly StoredBatch[], hasMore: boolean) => ({
  object: 'list',
  data: batches.map(batchObject),
  first_id: batches[0]?.id ?? null,
  last_id: batches.at(-1)?.id ?? null,
  has_more: hasMore,
});

const unixTime = (time: Date): number => Math.floor(time.getTime() / 1_000);
