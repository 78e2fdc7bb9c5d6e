type Stop = () => Promise<void>;

/** Things to undo, the last first. One that fails is reported and does not keep the others. */
export interface Undo {
  add(stop: Stop): void;
  /** Runs when everything added so far is undone. */
  finally(stop: Stop): void;
  all(): Promise<void>;
}

export function createUndo(): Undo {
  let stops: Stop[] = [];
  return {
    add: (stop) => void stops.push(stop),
    finally: (stop) => void stops.unshift(stop),
    async all() {
      const pending = stops.toReversed();
      stops = [];
      for (const stop of pending) await stop().catch((error: unknown) => console.error(`bench: ${String(error)}`));
    },
  };
}
