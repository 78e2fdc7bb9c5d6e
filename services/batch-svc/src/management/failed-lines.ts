import type { BatchDetail } from '@tallyport/management';
import type { BatchTools } from '../batches/batch-tools.ts';
import type { StoredBatch } from '../batches/stored-batches.ts';
import { readContentKey } from '../files/content-key.ts';
import { endedResults } from '../results/ended-lines.ts';
import { mostShownFailures } from '../results/shown-failures.ts';

type FailedLine = BatchDetail['failedLines'][number];

/** The first lines that failed, with the reason in their answers. */
export async function failedLines(
  tools: Pick<BatchTools, 'database' | 'secrets'>,
  batch: StoredBatch,
): Promise<FailedLine[]> {
  if (batch.counts.failed === 0) return [];
  const key = await readContentKey(tools, batch);
  const lines: FailedLine[] = [];
  for await (const { customId, status, body } of endedResults(tools.database, { batch, key }, ['failed'])) {
    lines.push({ customId, status, message: reasonIn(body) });
    if (lines.length === mostShownFailures) break;
  }
  return lines;
}

const longestReason = 2_000;

/** Errors of both APIs have their message in `error`. */
function reasonIn(body: Buffer): string {
  const { error } = JSON.parse(body.toString()) as { error?: { message?: unknown } };
  return String(error?.message ?? 'The answer gives no reason.').slice(0, longestReason);
}
