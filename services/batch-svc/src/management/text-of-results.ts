import { GatewayError } from '@tallyport/contracts';
import type { BatchTools } from '../batches/batch-tools.ts';
import type { StoredBatch } from '../batches/stored-batches.ts';
import { isGone } from '../files/is-gone.ts';
import { openFile } from '../files/open-file.ts';

type TextTools = Pick<BatchTools, 'database' | 'secrets' | 'storage' | 'events'>;

/** A file of results, in pieces. Throws `not_found` before the batch has ended, and once the file has expired. */
export async function* textOfResults(
  tools: TextTools,
  { outputFileId, errorFileId, accountId }: StoredBatch,
  file: 'output' | 'errors',
): AsyncGenerator<string> {
  const id = file === 'output' ? outputFileId : errorFileId;
  if (id === null || (await isGone(tools.database, id))) throw noSuchResults();
  const { bytes, read } = await openFile(tools, { id, accountId });
  const decoder = new TextDecoder();
  for await (const piece of read({ start: 0, end: bytes })) {
    tools.events.moved('out', piece.length);
    yield decoder.decode(piece, { stream: true });
  }
}

const noSuchResults = (): GatewayError =>
  new GatewayError(
    'not_found',
    'The batch has no such results. They are there once it has ended, until they expire or are deleted.',
  );
