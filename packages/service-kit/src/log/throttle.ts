import type { Fields, Log } from './log.ts';

export interface ThrottleOptions {
  readonly level?: 'info' | 'warn' | 'error';
  /** One line per kind in this time. */
  readonly everyMs?: number;
  readonly now?: () => number;
}

/** Logs an event of this kind, unless one was logged a moment ago. */
export type ThrottledLog = (kind: string, fields: Fields, message: string) => void;

const mostKinds = 100;

/**
 * For faults that come in storms: the first line of a kind is written, the next one says how many were left out.
 * Kinds are bounded; further ones share a line.
 */
export function throttledLog(log: Log, options: ThrottleOptions = {}): ThrottledLog {
  const { level = 'warn', everyMs = 10_000, now = Date.now } = options;
  const kinds = new Map<string, { until: number; suppressed: number }>();
  return (wanted, fields, message) => {
    const kind = kinds.has(wanted) || kinds.size < mostKinds ? wanted : 'other';
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
