import { Worker } from 'node:worker_threads';
import {
  receivedError,
  type WorkerReply,
  type WorkerRequest,
  type WorkerResult,
  type WorkerStart,
} from './worker-messages.ts';

interface Waiting {
  resolve(result: WorkerResult): void;
  reject(error: Error): void;
}

/**
 * The embedded Postgres, in a thread of its own: a statement occupies its thread until it is finished, up to a tenth of a
 * second. It has one connection and carries out one statement after another.
 */
export class PostgresThread {
  readonly #worker: Worker;
  readonly #onLost: (error: Error) => void;
  readonly #opened = Promise.withResolvers<void>();
  readonly #exited = Promise.withResolvers<void>();
  readonly #waiting = new Map<number, Waiting>();
  #sent = 0;
  #isOpen = false;
  #closing: Promise<void> | undefined;
  /** Why the thread accepts no queries any more. */
  #ended: string | undefined;

  /** Opens `files`, or a database in memory. Rejects if they cannot be opened. */
  static async start(files: string | undefined, onLost: (error: Error) => void): Promise<PostgresThread> {
    const thread = new PostgresThread(files, onLost);
    await thread.#opened.promise;
    return thread;
  }

  private constructor(files: string | undefined, onLost: (error: Error) => void) {
    this.#onLost = onLost;
    const workerData: WorkerStart = { files };
    this.#worker = new Worker(new URL('./postgres.worker.ts', import.meta.url), {
      workerData,
      // Not those of the process, which may load modules or take debugger ports.
      execArgv: ['--disable-warning=ExperimentalWarning'],
      resourceLimits: { maxYoungGenerationSizeMb: youngMb },
    });
    this.#worker.on('message', (reply: WorkerReply) => this.#receive(reply));
    this.#worker.on('error', (error) => this.#end(error instanceof Error ? error.message : String(error)));
    this.#worker.on('exit', (code) => {
      this.#end(`its thread ended with code ${code}`);
      this.#exited.resolve();
    });
  }

  /** Rejects with the fields of Postgres' error; or, when the thread has ended, with an error that says so. */
  query(sql: string, parameters: readonly unknown[]): Promise<WorkerResult> {
    if (this.#ended) return Promise.reject(new Error(this.#ended));
    return new Promise((resolve, reject) => {
      const id = this.#sent++;
      this.#send({ kind: 'query', id, sql, parameters });
      this.#waiting.set(id, { resolve, reject });
      this.#worker.ref();
    });
  }

  /** Waits for the statements sent before, at most `timeoutMs`; then stops the thread. May be called twice. */
  close(timeoutMs: number): Promise<void> {
    return (this.#closing ??= this.#close(timeoutMs));
  }

  async #close(timeoutMs: number): Promise<void> {
    if (this.#ended) return;
    this.#worker.ref();
    this.#send({ kind: 'close' });
    const timer = setTimeout(() => void this.#worker.terminate(), timeoutMs);
    await this.#exited.promise;
    clearTimeout(timer);
  }

  #send(request: WorkerRequest): void {
    this.#worker.postMessage(request);
  }

  #receive(reply: WorkerReply): void {
    switch (reply.kind) {
      case 'open':
        this.#isOpen = true;
        this.#opened.resolve();
        return this.#restUntilNeeded();
      case 'not_open':
        return this.#opened.reject(receivedError(reply.error));
      case 'result':
        return this.#settle(reply.id)?.resolve(reply.result);
      case 'error':
        return this.#settle(reply.id)?.reject(receivedError(reply.error));
      default:
        return reply satisfies never;
    }
  }

  #settle(id: number): Waiting | undefined {
    const waiting = this.#waiting.get(id);
    this.#waiting.delete(id);
    if (this.#waiting.size === 0) this.#restUntilNeeded();
    return waiting;
  }

  /** A thread without work does not keep the process running. */
  #restUntilNeeded(): void {
    if (!this.#closing) this.#worker.unref();
  }

  #end(reason: string): void {
    if (this.#ended) return;
    this.#ended = this.#closing ? 'The embedded database is closed.' : `${stopped} (${reason}). ${advice}`;
    const error = new Error(this.#ended);
    this.#opened.reject(error);
    for (const { reject } of this.#waiting.values()) reject(error);
    this.#waiting.clear();
    if (this.#isOpen && !this.#closing) this.#onLost(error);
  }
}

/** The young generation of the thread's heap, which would otherwise grow to the 96 MB that the services need. */
const youngMb = 16;
const stopped = 'The embedded database has stopped';
const advice = 'Restart Tallyport: what was written is kept.';
