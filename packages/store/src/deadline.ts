/** No answer in time. A later answer is ignored. */
export class LateError extends Error {
  constructor(limitMs: number) {
    super(`no answer within ${limitMs} ms`);
    this.name = 'LateError';
  }
}

/** A timer that fires this late means that the process was blocked, and had no time to send or read. */
const blockedMs = 20;
/** Long enough to send the waiting commands and to read their answers. */
const graceMs = 100;

/**
 * Rejects with LateError when `work` takes longer. The other side is not blamed when this process was blocked: at the
 * limit, one turn of the event loop is left for answers that have already arrived, or `graceMs` when the timer itself
 * fired late.
 */
export function withDeadline<Result>(limitMs: number, work: Promise<Result>): Promise<Result> {
  return new Promise((resolve, reject) => {
    const from = performance.now();
    let lastChance: NodeJS.Immediate | undefined;
    const giveUp = () => {
      lastChance = setImmediate(() => reject(new LateError(limitMs)));
    };
    let timer = setTimeout(() => {
      if (performance.now() - from < limitMs + blockedMs) giveUp();
      else timer = setTimeout(giveUp, graceMs);
    }, limitMs);
    const settle = () => {
      clearTimeout(timer);
      clearImmediate(lastChance);
    };
    work.then(
      (result) => {
        settle();
        resolve(result);
      },
      (error: unknown) => {
        settle();
        reject(error);
      },
    );
  });
}
