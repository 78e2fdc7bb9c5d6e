import { contentHash } from '@tallyport/sandbox';
import type { BatchLineResult, SimulatedBatch } from './batch-desk.ts';
import { inJsonLines } from './json-lines.ts';
import type { VendorFiles } from './vendor-files.ts';

interface ResultFiles {
  /** The ids of the files; absent until there are any. */
  readonly output: string | undefined;
  readonly errors: string | undefined;
}

const none: ResultFiles = { output: undefined, errors: undefined };

/** Keeps the results of batches as files of OpenAI's format, which are made when an ended batch is first seen. */
export function createResultFiles(files: VendorFiles): (batch: SimulatedBatch) => ResultFiles {
  const made = new WeakMap<SimulatedBatch, ResultFiles>();
  return (batch) => {
    const { state, ending, results, unanswered, owner } = batch;
    if (state !== 'ended' || ending === 'failed') return none;
    const before = made.get(batch);
    if (before !== undefined) return before;
    const good = results.filter(({ status }) => status === 200).map(outputLine);
    const failed = results.filter(({ status }) => status !== 200).map(outputLine);
    const bad = [...failed, ...unanswered.map((id) => unansweredLine(id, batch))];
    const store = (rows: readonly object[]): string | undefined =>
      rows.length === 0 ? undefined : files.keep({ owner, bytes: inJsonLines(rows) });
    const stored = { output: store(good), errors: store(bad) };
    made.set(batch, stored);
    return stored;
  };
}

const outputLine = ({ customId, status, body }: BatchLineResult) => ({
  id: `batch_req_${contentHash(customId).slice(0, 24)}`,
  custom_id: customId,
  response: { status_code: status, request_id: `req_${contentHash(customId).slice(0, 24)}`, body },
  error: null,
});

const unansweredLine = (customId: string, { ending }: SimulatedBatch) => ({
  id: `batch_req_${contentHash(customId).slice(0, 24)}`,
  custom_id: customId,
  response: null,
  error:
    ending === 'expired'
      ? { code: 'batch_expired', message: 'This request could not be executed before the completion window expired.' }
      : { code: 'batch_cancelled', message: 'This request was cancelled.' },
});
