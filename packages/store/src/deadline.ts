/** Not answered in time; the answer may still come, and is then ignored. */
export class LateError extends Error {
  constructor(limitMs: number) {
    super(`no answer within ${limitMs} ms`);
    this.name = 'LateError';
  }
}

/** A timer this much late means that this process stood still: then there was no time to ask or to listen. */
const standstillMs = 20;
/** Long enough to send what waits and to read the answer. */
const graceMs = 100;

/**
 * Rejects with LateError when `work` takes longer. The other side is not blamed for our own standstill: the limit gives
 * one turn of the event loop for what has arrived already, or some more time when its own timer came late.
 */
export function withDeadline<Result>(limitMs: number, work: Promise<Result>): Promise<Result> {
  return new Promise((resolve, reject) => {
    const from = performance.now();
    let lastChance: NodeJS.Immediate | undefined;
    const giveUp = () => {
      lastChance = setImmediate(() => reject(new LateError(limitMs)));
    };
    let timer = setTimeout(() => {
      if (performance.now() - from < limitMs + standstillMs) giveUp();
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
