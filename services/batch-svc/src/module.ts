import { type Link, type Listener, serve } from '@tallyport/bus';
import { batchService } from '@tallyport/contracts';
import type { Database } from '@tallyport/database';
import { createPreparation, createSecrets, prepareStorage } from '@tallyport/management-server';
import { type Kit, type Part, repeat } from '@tallyport/service-kit';
import type { BatchConfig } from './config.ts';
import { batchEvents } from './events.ts';
import { createFile } from './operations/create-file.ts';
import { deleteFile, getFile, listFilesOf } from './operations/file-operations.ts';
import type { FileTools } from './files/file-tools.ts';
import { createFileTurns, downloadShare, uploadShare } from './files/file-turns.ts';
import { sendContent } from './operations/send-content.ts';
import { sweepFiles } from './files/sweep-files.ts';
import { openStorage } from './storage/open-storage.ts';

export { batchConfig } from './config.ts';

interface BatchTools {
  link: Link;
  database: Database;
}

const sweepEveryMs = 60_000;
/** Most of them wait for their turn and hold nothing. Beyond this, requests go to another replica. */
const maxConcurrent = 1_024;

/** Serves the files of clients on the bus. It starts without its database and throws `unavailable` until that is reachable. */
export function batchModule(kit: Kit<BatchConfig>, { link, database }: BatchTools): Part {
  const events = batchEvents(kit);
  const secrets = createSecrets(kit.config);
  const storage = openStorage(kit.config);
  const { whenReady, ...preparation } = createPreparation({
    database,
    prepare: () => prepareStorage(database, secrets),
    onAwaited: events.databaseAwaited,
    onFailed: kit.fail,
  });
  const tools: FileTools = {
    database,
    secrets,
    storage,
    quota: { maxBytes: kit.config.FILES_ACCOUNT_MAX_BYTES, maxFiles: kit.config.FILES_ACCOUNT_MAX_FILES },
    uploadTurn: createFileTurns(uploadShare),
    downloadTurn: createFileTurns(downloadShare),
    maxBytes: kit.config.FILES_MAX_BYTES,
    events,
  };
  const sweep = whenReady(() => sweepFiles({ database, storage, onFailed: events.contentNotRemoved }));
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
      };
      listener = await serve(link, batchService, handlers, { maxConcurrent });
      stopSweeping = repeat({ everyMs: sweepEveryMs, onFailed: events.notSwept }, async () =>
        events.swept(await sweep(undefined)),
      );
    },
    check: preparation.check,
    async stop(deadlineMs) {
      preparation.stop();
      stopSweeping();
      await listener?.drain(deadlineMs);
    },
  };
}
