import type { RequestKind } from '@tallyport/contracts';
import {
  createRequestLimits,
  createRequestWindows,
  joinReplicas,
  limitDecisions,
  type RequestDefaults,
  limitResultOf,
} from '@tallyport/limits';
import type { Metrics } from '@tallyport/service-kit';
import type { Store } from '@tallyport/store';
import type { ToolCaller } from './tool.ts';

export interface ToolLimits {
  /** Counts a request of a tool like the same request over HTTP. Throws `rate_limit_exceeded`. */
  count(caller: ToolCaller, kind: RequestKind): Promise<void>;
  stop(): Promise<void>;
}

interface ToolLimitsOptions {
  store: Store;
  metrics: Metrics;
  defaults: RequestDefaults;
}

const windowMs = 60_000;

/**
 * Tools call services over the bus, not through edge, so their requests are counted here, in the counters that edge
 * uses.
 */
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
    count: async ({ principal, limits: own }, kind) => limits.take({ principal, limits: own }, kind, ignoreStanding),
    async stop() {
      await Promise.all([windows.stop(), replicas.stop()]);
    },
  };
}

/** A tool result has no headers for the limit's standing; a refusal states it in its message. */
const ignoreStanding = (): void => {};
