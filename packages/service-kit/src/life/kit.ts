import type { Log } from '../log/index.ts';
import type { Metrics } from '../metrics/index.ts';
import type { Tracing } from '../trace/tracing.ts';

/** What a module receives to build its parts. */
export interface Kit<Config = unknown> {
  readonly name: string;
  readonly config: Config;
  readonly log: Log;
  readonly metrics: Metrics;
  /** Absent when tracing is off. */
  readonly tracing?: Tracing | undefined;
  /**
   * A kit for another module in the process, with its own name in the log, its own configuration, and the same metrics.
   */
  child<ChildConfig>(name: string, config: ChildConfig): Kit<ChildConfig>;
  /**
   * Registers something that `compose` opened. It is closed after all parts, last opened first, even when the start
   * fails.
   */
  onShutdown(name: string, stop: (deadlineMs: number) => Promise<void>): void;
  /** Reports that a part can never work again: the process drains and ends with exit code 1. */
  fail(error: unknown): void;
}

interface KitOptions<Config> {
  readonly name: string;
  readonly config: Config;
  readonly log: Log;
  readonly metrics: Metrics;
  readonly tracing?: Tracing | undefined;
  /** Creates a log with the same destination and another service name. */
  readonly logFor?: (service: string) => Log;
  readonly onShutdown?: Kit['onShutdown'];
  readonly fail?: Kit['fail'];
}

/** A kit outside of `runProcess`, for tests and tools. They must stop what they open themselves. */
export function createKit<Config>(options: KitOptions<Config>): Kit<Config> {
  const { name, config, log, metrics, tracing, onShutdown = () => {}, fail = throwAgain } = options;
  // A child logger cannot rename the service: the line would carry the name twice.
  const { logFor = (module) => log.child({ module }) } = options;
  return {
    name,
    config,
    log,
    metrics,
    tracing,
    child: (childName, childConfig) =>
      createKit({ ...options, name: childName, config: childConfig, log: logFor(childName) }),
    onShutdown,
    fail,
  };
}

function throwAgain(error: unknown): void {
  throw error;
}
