/** Runs async functions one after the other, in order. */
export function createTurns(): <Result>(work: () => Promise<Result>) => Promise<Result> {
  let last: Promise<unknown> = Promise.resolve();
  return (work) => {
    const turn = last.then(work, work);
    last = turn.catch(() => undefined);
    return turn;
  };
}

/** Runs the functions of each name one after the other. Only names with running functions are kept. */
export function createTurnsByName(): <Result>(name: string, work: () => Promise<Result>) => Promise<Result> {
  const last = new Map<string, Promise<unknown>>();
  return (name, work) => {
    const before = last.get(name) ?? Promise.resolve();
    const turn = before.then(work, work);
    const ended = turn.then(forget, forget);
    function forget(): void {
      if (last.get(name) === ended) last.delete(name);
    }
    last.set(name, ended);
    return turn;
  };
}
