import { type BatchDetail, accountBatchOperations as operations } from '@tallyport/management';
import {
  type AnyApiEndpoint,
  type ApiCaller,
  endpoint,
  recordAudit,
  streamEndpoint,
} from '@tallyport/management-server';
import type { BatchTools } from '../batches/batch-tools.ts';
import { cancelBatch } from '../batches/cancel-batch.ts';
import type { BatchError } from '../batches/stored-batches.ts';
import { batchRecord } from './batch-record.ts';
import { failedLines } from './failed-lines.ts';
import { textOfResults } from './text-of-results.ts';
import { visibleBatch, visibleBatches } from './visible-batches.ts';

type EndpointTools = Pick<BatchTools, 'database' | 'secrets' | 'storage' | 'events' | 'wake'>;

/** The operations of the management API about batches. */
export function accountBatchEndpoints(tools: EndpointTools): AnyApiEndpoint[] {
  const { database } = tools;
  return [
    endpoint(operations.listAccountBatches, async ({ limit, cursor }, caller) => {
      const found = await visibleBatches(database, caller, { limit, cursor });
      const now = new Date();
      const batches = found.slice(0, limit).map((batch) => batchRecord(batch, now));
      const nextCursor = found.length > limit ? batches.at(-1)?.id : undefined;
      return { batches, ...(nextCursor !== undefined && { nextCursor }) };
    }),
    endpoint(operations.readAccountBatch, async ({ id }, caller) => {
      const batch = await visibleBatch(database, caller, id);
      const detail = { problems: batch.errors.map(problemOf), failedLines: await failedLines(tools, batch) };
      return { ...batchRecord(batch, new Date()), ...detail };
    }),
    endpoint(operations.cancelAccountBatch, async ({ id }, caller) => {
      const owner = await visibleBatch(database, caller, id);
      const batch = await cancelBatch(database, owner, id);
      await recordCancel(tools, caller, id);
      tools.wake();
      return batchRecord(batch, new Date());
    }),
    streamEndpoint(operations.downloadBatchFile, {
      async *pieces({ id, file }, caller) {
        yield* textOfResults(tools, await visibleBatch(database, caller, id), file);
      },
      fileName: ({ id, file }) => [id, file],
      extension: 'jsonl',
    }),
  ];
}

const problemOf = ({ code, message, line, param }: BatchError): BatchDetail['problems'][number] => ({
  code,
  message,
  ...(line !== null && { line }),
  ...(param !== null && { param }),
});

const recordCancel = ({ database }: EndpointTools, { accountId, actor }: ApiCaller, subject: string): Promise<void> =>
  recordAudit(database.kysely, { accountId, actor, action: 'batch.cancelled', subject });
