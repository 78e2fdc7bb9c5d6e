import type { IsOver } from './read-text.ts';

/** Where other requests wait. */
export const quickTime = { mostMs: 100 };
/** A long answer is searched piece by piece, a short time for each. */
export const streamTime = { mostMs: 5_000, mostAtOnceMs: 200 };

interface RuleTimeOptions {
  /** For all texts of a request or an answer. */
  mostMs: number;
  /** For one text: of a stream, other work gets its turn after it. */
  mostAtOnceMs?: number;
  /** Of the processor. */
  nowMs?: () => number;
  /** Whether rules that were not finished are searched again elsewhere, with more time. */
  isFirst?: boolean;
}

/** A rule was not finished in time, and is searched again elsewhere. */
export class UnfinishedRules extends Error {}

/**
 * The time that all rules together may take for one request or answer, as time of the processor: a busy machine is no
 * reason to refuse a request. Detectors are quick, and never wait for it.
 */
export class RuleTime {
  readonly #mostAtOnceMs: number;
  readonly #isFirst: boolean;
  readonly #nowMs: () => number;
  #leftMs: number;
  #isMissed = false;

  constructor({ mostMs, mostAtOnceMs = mostMs, isFirst = false, nowMs = processorMs }: RuleTimeOptions) {
    this.#leftMs = mostMs;
    this.#mostAtOnceMs = mostAtOnceMs;
    this.#isFirst = isFirst;
    this.#nowMs = nowMs;
  }

  /** Searches one text, until `isOver` at most. The time runs from the first look at it, which detectors do not have. */
  search<Result>(work: (isOver: IsOver) => Result): Result {
    const mostMs = Math.min(this.#leftMs, this.#mostAtOnceMs);
    let startedAt: number | undefined;
    const isOver = (): boolean => {
      const at = this.#nowMs();
      startedAt ??= at;
      return at >= startedAt + mostMs;
    };
    try {
      return work(isOver);
    } finally {
      if (startedAt !== undefined) this.#leftMs -= this.#nowMs() - startedAt;
    }
  }

  /** A rule was not finished. Returns whether it is the first one. Throws `UnfinishedRules`. */
  miss(): boolean {
    if (this.#isFirst) throw new UnfinishedRules();
    const isNew = !this.#isMissed;
    this.#isMissed = true;
    return isNew;
  }
}

function processorMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
}
