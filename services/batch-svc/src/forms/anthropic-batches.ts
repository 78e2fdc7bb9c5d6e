import type { StoredBatch } from '../batches/stored-batches.ts';

/** From then on the results are gone. */
export const archivedAfterDays = 29;

/** A batch as clients of Anthropic's API see it. */
export function messageBatch(batch: StoredBatch) {
  const archivedAt = new Date(batch.createdAt.getTime() + archivedAfterDays * 86_400_000);
  const hasResults = batch.outputFileId !== null && archivedAt > new Date();
  return {
    id: batch.id,
    type: 'message_batch',
    processing_status: processingStatus(batch),
    request_counts: requestCounts(batch),
    answered_by: batch.answeredBy,
    created_at: batch.createdAt.toISOString(),
    expires_at: batch.expiresAt.toISOString(),
    ended_at: batch.endedAt?.toISOString() ?? null,
    cancel_initiated_at: batch.cancellingAt?.toISOString() ?? null,
    archived_at: batch.endedAt !== null && archivedAt <= new Date() ? archivedAt.toISOString() : null,
    results_url: hasResults ? `/v1/messages/batches/${batch.id}/results` : null,
  };
}

function processingStatus({ endedAt, cancellingAt }: StoredBatch): string {
  if (endedAt !== null) return 'ended';
  return cancellingAt === null ? 'in_progress' : 'canceling';
}

/** Requests that never ran count once their batch has ended. */
function requestCounts({ counts: { total, completed, failed }, endedAt, ending }: StoredBatch) {
  const others = total - completed - failed;
  return {
    processing: endedAt === null ? others : 0,
    succeeded: completed,
    errored: failed,
    canceled: endedAt !== null && ending === 'cancelled' ? others : 0,
    expired: endedAt !== null && ending === 'expired' ? others : 0,
  };
}

export const messageBatchList = (batches: readonly StoredBatch[], hasMore: boolean) => ({
  data: batches.map(messageBatch),
  has_more: hasMore,
  first_id: batches[0]?.id ?? null,
  last_id: batches.at(-1)?.id ?? null,
});
