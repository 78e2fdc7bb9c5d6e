import type { Fields, Log } from './log.ts';

interface ThrottleOptions {
  readonly level?: 'info' | 'warn' | 'error';
  /** One line per kind in this time. */
  readonly everyMs?: number;
  readonly now?: () => number;
}

/** Logs an event unless one of its kind was logged recently. */
type ThrottledLog = (kind: string, fields: Fields, message: string) => void;

const maxKinds = 100;

/**
 * A log for errors that occur in large numbers: one line per kind and interval, each with the number of suppressed
 * events. The number of kinds is limited; further kinds share a line.
 */
export function throttledLog(log: Log, options: ThrottleOptions = {}): ThrottledLog {
  const { level = 'warn', everyMs = 10_000, now = Date.now } = options;
  const kinds = new Map<string, { until: number; suppressed: number }>();
  return (requestedKind, fields, message) => {
    const kind = kinds.has(requestedKind) || kinds.size < maxKinds ? requestedKind : 'other';
    const state = kinds.get(kind) ?? { until: Number.NEGATIVE_INFINITY, suppressed: 0 };
    kinds.set(kind, state);
    if (now() < state.until) {
      state.suppressed += 1;
      return;
    }
    log[level](state.suppressed > 0 ? { ...fields, suppressed: state.suppressed } : fields, message);
    state.until = now() + everyMs;
    state.suppressed = 0;
  };
}
