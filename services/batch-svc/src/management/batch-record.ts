import type { Batch } from '@tallyport/management';
import type { StoredBatch } from '../batches/stored-batches.ts';
import { estimatedEnd } from './estimated-end.ts';

/** A batch as the management API shows it. */
export function batchRecord(batch: StoredBatch, now: Date): Batch {
  const { model, projectId, inProgressAt, endedAt } = batch;
  const end = estimatedEndOf(batch, now);
  return {
    id: batch.id,
    api: batch.api,
    endpoint: batch.endpoint,
    state: batch.state,
    ...(model !== null && { model }),
    keyId: batch.keyId,
    ...(projectId !== null && { projectId }),
    lines: batch.counts,
    cost: shortened(batch.cost),
    answeredBy: batch.answeredBy.map((each) => ({ ...each, cost: dollars(each.cost), saved: dollars(each.saved) })),
    ...(batch.estimate !== null && {
      estimatedCost: usd(batch.estimate),
      reserved: usd(endedAt === null ? batch.reserved : 0),
    }),
    createdAt: batch.createdAt.toISOString(),
    ...(inProgressAt && { startedAt: inProgressAt.toISOString() }),
    ...(endedAt && { endedAt: endedAt.toISOString() }),
    expiresAt: batch.expiresAt.toISOString(),
    ...(end && { estimatedEndAt: end.toISOString() }),
    files: [
      ...(batch.outputFileId === null ? [] : (['output'] as const)),
      ...(batch.errorFileId === null ? [] : (['errors'] as const)),
    ],
  };
}

/** As exact as the sum of a batch. */
const dollars = (amount: number): string => shortened(amount.toFixed(15));

const usd = (nanodollars: number): string => shortened((nanodollars / 1e9).toFixed(9));

const shortened = (amount: string): string => amount.replace(/\.?0+$/, '');

function estimatedEndOf({ state, counts, inProgressAt, expiresAt }: StoredBatch, now: Date): Date | undefined {
  if (state !== 'in_progress' || inProgressAt === null) return undefined;
  const ended = counts.completed + counts.failed;
  return estimatedEnd({ total: counts.total, ended, startedAt: inProgressAt, expiresAt }, now);
}
