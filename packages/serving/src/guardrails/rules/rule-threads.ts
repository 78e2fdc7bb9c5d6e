import { GatewayError } from '@tallyport/contracts';
import type { RuleReply, RuleWork } from './rule-messages.ts';
import { RuleThread } from './rule-thread.ts';

const mostThreads = 2;
/** Of one account. Each keeps its body in memory, which is bounded as well. */
const mostWaiting = 32;

interface Waiting {
  account: string;
  work: RuleWork;
  resolve(reply: RuleReply | undefined): void;
  reject(reason: unknown): void;
}

/** Threads for documents that take long. An account has one of them at a time, so that it does not keep others waiting. */
export class RuleThreads {
  readonly #idle = Array.from({ length: mostThreads }, () => new RuleThread());
  readonly #all = [...this.#idle];
  readonly #served = new Set<string>();
  readonly #waiting: Waiting[] = [];

  /** `undefined` if its thread ended before it was finished. Throws `overloaded`, or the reason of `signal`. */
  async redact(account: string, work: RuleWork, signal: AbortSignal): Promise<RuleReply | undefined> {
    signal.throwIfAborted();
    if (this.#waiting.filter((each) => each.account === account).length >= mostWaiting) throw tooMany();
    const { promise, resolve, reject } = Promise.withResolvers<RuleReply | undefined>();
    const waiting = { account, work, resolve, reject };
    const leave = (): void => {
      this.#remove(waiting);
      reject(signal.reason);
    };
    signal.addEventListener('abort', leave, { once: true });
    this.#waiting.push(waiting);
    this.#next();
    try {
      return await promise;
    } finally {
      signal.removeEventListener('abort', leave);
    }
  }

  /** Whether a thread works for the account. */
  serves(account: string): boolean {
    return this.#served.has(account);
  }

  async stop(): Promise<void> {
    await Promise.all(this.#all.map((thread) => thread.end()));
  }

  #next(): void {
    const next = this.#waiting.find(({ account }) => !this.#served.has(account));
    if (next === undefined) return;
    const thread = this.#idle.pop();
    if (thread === undefined) return;
    this.#remove(next);
    this.#served.add(next.account);
    const redacted = thread.redact(next.work).finally(() => {
      this.#served.delete(next.account);
      this.#idle.push(thread);
      this.#next();
    });
    // Not resolved with the promise itself: the caller may leave while the thread works.
    redacted.then(next.resolve, next.reject);
  }

  #remove(waiting: Waiting): void {
    const at = this.#waiting.indexOf(waiting);
    if (at !== -1) this.#waiting.splice(at, 1);
  }
}

const tooMany = (): GatewayError =>
  new GatewayError(
    'overloaded',
    `Guardrails of this account inspect ${mostWaiting} long texts already. Send fewer long requests at once.`,
    { retryAfterMs: 1_000 },
  );
