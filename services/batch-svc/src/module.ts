import { randomUUID } from 'node:crypto';
import { createClient, type Handlers, type Link, type Listener, serve } from '@tallyport/bus';
import { authService, batchService, byName, namesOf } from '@tallyport/contracts';
import type { Database } from '@tallyport/database';
import { createFairTurns } from '@tallyport/limits';
import { createPreparation, createSecrets, prepareStorage, type WhenReady } from '@tallyport/management-server';
import { type Kit, type Part, repeat } from '@tallyport/service-kit';
import type { BatchTools } from './batches/batch-tools.ts';
import { openBudgetClient } from './budgets/budget-client.ts';
import type { BatchConfig } from './config.ts';
import { batchEvents } from './events.ts';
import { type BatchWeb, openBatchWeb } from './http/open-web.ts';
import { accountBatchEndpoints } from './management/account-batch-endpoints.ts';
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
import { openVendorClient } from './vendors/vendor-client.ts';
import { createWorker } from './work/worker.ts';

export { batchConfig } from './config.ts';

interface ModuleTools {
  link: Link;
  database: Database;
}

const sweepEveryMs = 60_000;
/** Most of them wait for their turn and hold nothing. Beyond this, requests go to another replica. */
const maxConcurrent = 1_024;

/** Lines of batches that one replica runs at a time. Most of them wait for a provider. */
const linesAtOnce = 200;
const longestTurnMs = 2 ** 31 - 1;
const lineShare = { atOnce: linesAtOnce, eachAtOnce: linesAtOnce, maxWaiting: Infinity, waitMs: longestTurnMs };

/**
 * Serves files and batches of clients on the bus, and does its share of the work of batches. It starts without its database
 * and throws `unavailable` until that is reachable.
 */
export function batchModule(kit: Kit<BatchConfig>, { link, database }: ModuleTools): Part {
  const events = batchEvents(kit, () => worker.parts());
  const secrets = createSecrets(kit.config);
  const storage = openStorage(kit.config);
  const { ready, isReady, whenReady, ...preparation } = createPreparation({
    database,
    prepare: () => prepareStorage(database, secrets),
    onAwaited: events.databaseAwaited,
    onFailed: kit.fail,
  });
  const auth = createClient(link, authService);
  const tools: BatchTools = {
    ...settingsOf(kit.config),
    database,
    secrets,
    storage,
    uploadTurn: createFileTurns(uploadShare),
    downloadTurn: createFileTurns(downloadShare),
    callerOfKey: auth.callerOfKey,
    budgets: openBudgetClient(link),
    wake: () => worker.wake(),
    events,
  };
  const worker = createWorker({
    ...tools,
    runners: lineRunners(link),
    vendors: openVendorClient(link),
    turns: createFairTurns(lineShare),
    holder: randomUUID(),
    isReady,
  });
  const sweep = whenReady(async () => {
    await sweepBatches(database.kysely);
    return sweepFiles({ database, storage, onFailed: events.contentNotRemoved });
  });
  const web = openBatchWeb({ endpoints: accountBatchEndpoints(tools), auth, events, ready });
  let listener: Listener | undefined;
  let stopSweeping = () => {};

  return {
    name: 'batch',
    async start() {
      await preparation.start();
      listener = await serve(link, batchService, handlersOf(tools, { web, whenReady }), { maxConcurrent });
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

const settingsOf = (config: BatchConfig) => ({
  quota: { maxBytes: config.FILES_ACCOUNT_MAX_BYTES, maxFiles: config.FILES_ACCOUNT_MAX_FILES },
  maxBytes: config.FILES_MAX_BYTES,
  maxLineBytes: config.MAX_BODY_BYTES,
});

interface Serving {
  web: BatchWeb;
  whenReady: WhenReady;
}

function handlersOf(tools: BatchTools, { web, whenReady }: Serving): Handlers<typeof batchService.operations> {
  const handlers = clientHandlers(tools);
  const ofClients = byName(namesOf(handlers), (name) => whenReady(handlers[name]));
  return { ...ofClients, serve: web.serve, manage: whenReady(web.manage) };
}

/** Of files and batches, in the APIs of clients. */
function clientHandlers(tools: BatchTools) {
  const [batches, messageBatches] = [batchOperations(tools, 'batches'), batchOperations(tools, 'messages')];
  return {
    createFile: createFile(tools),
    listFiles: listFilesOf(tools),
    fileContent: sendContent(tools),
    getFile: getFile(tools),
    deleteFile: deleteFile(tools),
    createBatch: createBatch(tools),
    listBatches: batches.list,
    getBatch: batches.get,
    cancelBatch: batches.cancel,
    createMessageBatch: createMessageBatch(tools),
    listMessageBatches: messageBatches.list,
    getMessageBatch: messageBatches.get,
    cancelMessageBatch: messageBatches.cancel,
    deleteMessageBatch: deleteMessageBatch(tools),
    messageBatchResults: messageBatchResults(tools),
  };
}
