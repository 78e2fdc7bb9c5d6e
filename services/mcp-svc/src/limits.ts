import type { RequestKind } from '@switchyard/contracts';
import {
  createRequestLimits,
  createRequestWindows,
  joinReplicas,
  limitDecisions,
  type RequestDefaults,
  limitResultOf,
} from '@switchyard/limits';
import type { Metrics } from '@switchyard/service-kit';
import type { Store } from '@switchyard/store';
import type { ToolCaller } from './tools/tool.ts';

export interface ToolLimits {
  /** Counts what a tool is about to ask as if the caller asked it over HTTP; throws `rate_limit_exceeded`. */
  count(caller: ToolCaller, kind: RequestKind): Promise<void>;
  stop(): Promise<void>;
}

export interface ToolLimitsOptions {
  store: Store;
  metrics: Metrics;
  defaults: RequestDefaults;
}

const windowMs = 60_000;

/** Tools ask over the bus, past edge: what edge would have counted is counted here, in the same counts. */
export function openToolLimits({ store, metrics, defaults }: ToolLimitsOptions): ToolLimits {
  const decisions = metrics.counter(limitDecisions);
  const replicas = joinReplicas({ store, group: 'mcp' });
  const windows = createRequestWindows({ store, windowMs, replicas: replicas.count });
  const limits = createRequestLimits({
    windows,
    defaults,
    onDecision: (scope, { allowed, alone }) =>
      decisions.with({ scope, result: limitResultOf(allowed, alone) }).increment(),
  });
  return {
    count: async ({ principal, limits: own }, kind) => limits.take({ principal, limits: own }, kind, untold),
    async stop() {
      await Promise.all([windows.stop(), replicas.stop()]);
    },
  };
}

/** There are no headers inside a tool's result: a refusal says what counts. */
const untold = (): void => {};
