import { randomUUID } from 'node:crypto';
import { createClient, type Link, type Listener, serve } from '@tallyport/bus';
import { authService, batchService } from '@tallyport/contracts';
import type { Database } from '@tallyport/database';
import { createFairTurns } from '@tallyport/limits';
import { createPreparation, createSecrets, prepareStorage } from '@tallyport/management-server';
import { type Kit, type Part, repeat } from '@tallyport/service-kit';
import type { BatchConfig } from './config.ts';
import { batchEvents } from './events.ts';
import { batchOperations } from './operations/batch-operations.ts';
import { createBatch } from './operations/create-batch.ts';
import { createFile } from './operations/create-file.ts';
import { createMessageBatch } from './operations/create-message-batch.ts';
import { deleteFile, getFile, listFilesOf } from './operations/file-operations.ts';
import { createFileTurns, downloadShare, uploadShare } from './files/file-turns.ts';
import { deleteMessageBatch, messageBatchResults } from './operations/message-batch-results.ts';
import { sendContent } from './operations/send-content.ts';
import { sweepFiles } from './files/sweep-files.ts';
import { openStorage } from './storage/open-storage.ts';
import { sweepBatches } from './work/batch-steps.ts';
import { lineRunners } from './work/line-runners.ts';
import { createWorker } from './work/worker.ts';

export { batchConfig } from './config.ts';

interface BatchTools {
  link: Link;
  database: Database;
}

const sweepEveryMs = 60_000;
/** Most of them wait for their turn and hold nothing. Beyond this, requests go to another replica. */
const maxConcurrent = 1_024;

/** Lines of batches that one replica runs at a time. Most of them wait for a provider. */
const linesAtOnce = 200;
const longestTurnMs = 2 ** 31 - 1;

/**
 * Serves files and batches of clients on the bus, and does its share of the work of batches. It starts without its database
 * and throws `unavailable` until that is reachable.
 */
export function batchModule(kit: Kit<BatchConfig>, { link, database }: BatchTools): Part {
  const events = batchEvents(kit, () => worker.parts());
  let isPrepared = false;
  const secrets = createSecrets(kit.config);
  const storage = openStorage(kit.config);
  const { whenReady, ...preparation } = createPreparation({
    database,
    async prepare() {
      await prepareStorage(database, secrets);
      isPrepared = true;
    },
    onAwaited: events.databaseAwaited,
    onFailed: kit.fail,
  });
  const auth = createClient(link, authService);
  const tools = {
    database,
    secrets,
    storage,
    quota: { maxBytes: kit.config.FILES_ACCOUNT_MAX_BYTES, maxFiles: kit.config.FILES_ACCOUNT_MAX_FILES },
    uploadTurn: createFileTurns(uploadShare),
    downloadTurn: createFileTurns(downloadShare),
    maxBytes: kit.config.FILES_MAX_BYTES,
    maxLineBytes: kit.config.MAX_BODY_BYTES,
    callerOfKey: auth.callerOfKey,
    wake: () => worker.wake(),
    events,
  };
  const worker = createWorker({
    ...tools,
    runners: lineRunners(link),
    turns: createFairTurns({
      atOnce: linesAtOnce,
      eachAtOnce: linesAtOnce,
      maxWaiting: Infinity,
      waitMs: longestTurnMs,
    }),
    holder: randomUUID(),
    isReady: () => isPrepared,
  });
  const sweep = whenReady(async () => {
    await sweepBatches(database.kysely);
    return sweepFiles({ database, storage, onFailed: events.contentNotRemoved });
  });
  const [batches, messageBatches] = [batchOperations(tools, 'openai'), batchOperations(tools, 'anthropic')];
  let listener: Listener | undefined;
  let stopSweeping = () => {};

  return {
    name: 'batch',
    async start() {
      await preparation.start();
      const handlers = {
        createFile: whenReady(createFile(tools)),
        listFiles: whenReady(listFilesOf(tools)),
        fileContent: whenReady(sendContent(tools)),
        getFile: whenReady(getFile(tools)),
        deleteFile: whenReady(deleteFile(tools)),
        createBatch: whenReady(createBatch(tools)),
        listBatches: whenReady(batches.list),
        getBatch: whenReady(batches.get),
        cancelBatch: whenReady(batches.cancel),
        createMessageBatch: whenReady(createMessageBatch(tools)),
        listMessageBatches: whenReady(messageBatches.list),
        getMessageBatch: whenReady(messageBatches.get),
        cancelMessageBatch: whenReady(messageBatches.cancel),
        deleteMessageBatch: whenReady(deleteMessageBatch(tools)),
        messageBatchResults: whenReady(messageBatchResults(tools)),
      };
      listener = await serve(link, batchService, handlers, { maxConcurrent });
      worker.start();
      stopSweeping = repeat({ everyMs: sweepEveryMs, onFailed: events.notSwept }, async () =>
        events.swept(await sweep(undefined)),
      );
    },
    check: preparation.check,
    async stop(deadlineMs) {
      preparation.stop();
      stopSweeping();
      await Promise.all([worker.drain(deadlineMs), listener?.drain(deadlineMs)]);
    },
  };
}
