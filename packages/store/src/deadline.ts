/** Not answered in time; the answer may still come, and is then ignored. */
export class LateError extends Error {
  constructor(limitMs: number) {
    super(`no answer within ${limitMs} ms`);
    this.name = 'LateError';
  }
}

/**
 * Rejects with LateError when `work` takes longer. After the timer one more turn of the event loop is given: when this
 * process itself stood still, the answer lies in the socket already and the server is not to blame.
 */
export function within<Result>(limitMs: number, work: Promise<Result>): Promise<Result> {
  return new Promise((resolve, reject) => {
    let lastChance: NodeJS.Immediate | undefined;
    const timer = setTimeout(() => {
      lastChance = setImmediate(() => reject(new LateError(limitMs)));
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
