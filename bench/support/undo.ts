type Stop = () => Promise<void>;

/** Clean-up steps, run in reverse order. A failed step is logged, and the others still run. */
export interface Undo {
  add(stop: Stop): void;
  /** Adds a step that runs after all steps added so far. */
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
