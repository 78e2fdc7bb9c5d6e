/** Keeps calls away from a server that fails. */
interface Rest {
  /** Milliseconds until the server is tried again; 0 if it may be called. */
  left(): number;
  failed(): void;
  succeeded(): void;
}

/** Failures in a row before a server rests. */
const tolerated = 3;
const shortestMs = 5_000;
const longestMs = 60_000;

export function createRest(now: () => number): Rest {
  let failures = 0;
  let until = 0;
  return {
    left: () => Math.max(0, until - now()),
    failed() {
      failures += 1;
      if (failures < tolerated) return;
      until = now() + Math.min(longestMs, shortestMs * 2 ** Math.min(10, failures - tolerated));
    },
    succeeded() {
      failures = 0;
      until = 0;
    },
  };
}
