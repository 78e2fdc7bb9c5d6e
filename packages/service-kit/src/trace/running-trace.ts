import { AsyncLocalStorage } from 'node:async_hooks';
import type { Trace } from './traceparent.ts';

/** The current trace, kept across awaits. */
export interface RunningTrace {
  within<Result>(trace: Trace, work: () => Result): Result;
  now(): Trace | undefined;
  /** For log lines. */
  fields(): Readonly<Record<string, string>>;
}

const nothing = {};

export function runningTrace(): RunningTrace {
  const storage = new AsyncLocalStorage<Trace>();
  return {
    within: (trace, work) => storage.run(trace, work),
    now: () => storage.getStore(),
    fields() {
      const trace = storage.getStore();
      return trace === undefined ? nothing : { traceId: trace.traceId, spanId: trace.spanId };
    },
  };
}
