import { type MessagePort, parentPort, workerData } from 'node:worker_threads';
import type { PGlite } from '@electric-sql/pglite';
import { openOptimising } from './open-optimising.ts';
import {
  sentError,
  type WorkerQuery,
  type WorkerReply,
  type WorkerRequest,
  type WorkerStart,
} from './worker-messages.ts';

// Started as a thread by postgres-thread.ts. Images also import it elsewhere, to fill the compile cache.
if (parentPort) await serve(parentPort, workerData as WorkerStart);

async function serve(port: MessagePort, { files }: WorkerStart): Promise<void> {
  const reply = (message: WorkerReply) => port.postMessage(message);
  let pglite: PGlite;
  try {
    pglite = await openOptimising(files);
  } catch (error) {
    reply({ kind: 'not_open', error: sentError(error) });
    return;
  }
  let last = Promise.resolve();
  port.on('message', (request: WorkerRequest) => {
    last = last.then(async () => {
      if (request.kind === 'query') return answer(pglite, request, reply);
      await pglite.close();
      process.exit(); // ends the thread only
    });
  });
  reply({ kind: 'open' });
}

async function answer(
  pglite: PGlite,
  { id, sql, parameters }: WorkerQuery,
  reply: (message: WorkerReply) => void,
): Promise<void> {
  try {
    const { rows, affectedRows, command } = await pglite.query(sql, [...parameters]);
    reply({ kind: 'result', id, result: { rows, affectedRows, command } });
  } catch (error) {
    const sent = sentError(error);
    reply({ kind: 'error', id, error: sent });
    if (isEnd(error, sent.fields.severity)) throw error; // which ends the thread
  }
}

/** After these, and after a trap of WebAssembly, Postgres would go on with wrong results instead of ending its process. */
const isEnd = (error: unknown, severity = ''): boolean =>
  ['FATAL', 'PANIC'].includes(severity) || (error instanceof Error && error.name === 'RuntimeError');
