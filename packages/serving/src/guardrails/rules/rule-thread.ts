import { Worker } from 'node:worker_threads';
import type { RuleReply, RuleWork } from './rule-messages.ts';

/** Longer than the rules of a thread may take, also on a busy machine: then the thread itself is ended. */
const deadlineMs = 10_000;

/** Redacts one document after another in a thread. */
export class RuleThread {
  readonly #deadlineMs: number;
  #worker: Worker | undefined;
  #onExit = (): void => {};

  constructor(mostMs = deadlineMs) {
    this.#deadlineMs = mostMs;
  }

  /** `undefined` if the thread ended before it was finished. The next work starts another one. */
  async redact(work: RuleWork): Promise<RuleReply | undefined> {
    const worker = (this.#worker ??= this.#start());
    const reply = Promise.withResolvers<RuleReply | undefined>();
    this.#onExit = () => reply.resolve(undefined);
    worker.once('message', reply.resolve).ref();
    const timer = setTimeout(() => void worker.terminate(), this.#deadlineMs);
    try {
      worker.postMessage(work);
      return await reply.promise;
    } finally {
      clearTimeout(timer);
      worker.off('message', reply.resolve);
      // A thread without work does not keep the process running.
      worker.unref();
    }
  }

  async end(): Promise<void> {
    await this.#worker?.terminate();
  }

  #start(): Worker {
    const worker = new Worker(new URL('./rules.worker.ts', import.meta.url), {
      // Not those of the process, which may load modules or take debugger ports.
      execArgv: ['--disable-warning=ExperimentalWarning'],
    });
    // It ends after an error.
    worker.on('error', () => {});
    worker.on('exit', () => {
      this.#worker = undefined;
      this.#onExit();
    });
    return worker;
  }
}
