import type { GatewayError } from '@tallyport/contracts';
import type { Row } from '@tallyport/database';
import type { Kit } from '@tallyport/service-kit';

export interface BatchEvents {
  databaseAwaited(error: unknown): void;
  /** Bytes of a file that a client has sent or received. */
  moved(direction: 'in' | 'out', bytes: number): void;
  /** The content of a deleted file is still in the storage; it is removed later. */
  contentNotRemoved(error: unknown, id: string): void;
  notSwept(error: unknown): void;
  swept(files: number): void;
  /** Lines of a batch that have their results. */
  linesEnded(api: Row<'batches'>['api'], results: readonly { outcome: 'completed' | 'failed' }[]): void;
  /** A part of the work of batches has failed, and is done again later. */
  notWorked(error: unknown): void;
  pageFailed(error: GatewayError, route: string): void;
}

/** Counts each event of batch-svc and logs it once. */
export function batchEvents(
  { log, metrics }: Pick<Kit<unknown>, 'log' | 'metrics'>,
  runningParts: () => number,
): BatchEvents {
  const moved = metrics.counter({
    name: 'gateway_file_bytes_total',
    help: 'Bytes of files that clients have stored (in) and read (out).',
    labels: { direction: ['in', 'out'] },
  });
  const removed = metrics.counter({
    name: 'gateway_files_swept_total',
    help: 'Files that were removed because they had expired, or because their upload had been abandoned.',
    labels: {},
  });
  const lines = metrics.counter({
    name: 'gateway_batch_lines_total',
    help: 'Lines of batches that have ended: completed, or refused for good.',
    labels: { api: ['batches', 'messages'], outcome: ['completed', 'failed'] },
  });
  metrics.gauge({
    name: 'gateway_batch_parts_running',
    help: 'Parts of batches, of up to 1,000 lines each, that this replica runs.',
    read: runningParts,
  });
  return {
    databaseAwaited: (error) => log.warn({ error }, 'the database is not reachable; trying again'),
    moved: (direction, bytes) => moved.with({ direction }).increment(bytes),
    contentNotRemoved: (error, id) => log.warn({ error, file: id }, 'the content of a deleted file was not removed'),
    notSwept: (error) => log.warn({ error }, 'expired files could not be removed'),
    swept: (files) => removed.with({}).increment(files),
    linesEnded(api, results) {
      for (const { outcome } of results) lines.with({ api, outcome }).increment();
    },
    notWorked: (error) => log.warn({ error }, 'work of a batch has failed; it is done again'),
    pageFailed: (error, route) => log.error({ error, route }, 'page failed'),
  };
}
