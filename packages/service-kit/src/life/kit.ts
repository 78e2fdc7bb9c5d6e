import type { Log } from '../log/index.ts';
import type { Metrics } from '../metrics/index.ts';
import type { Tracing } from '../trace/tracing.ts';

/** What a module is built with. */
export interface Kit<Config = unknown> {
  readonly name: string;
  readonly config: Config;
  readonly log: Log;
  readonly metrics: Metrics;
  /** Absent where nothing is traced. */
  readonly tracing?: Tracing | undefined;
  /** For a module that shares the process: its own name in the log, its own part of the configuration, the same metrics. */
  child<ChildConfig>(name: string, config: ChildConfig): Kit<ChildConfig>;
  /** For what `compose` opened itself: closed after all parts, last opened first, even when the start fails. */
  onShutdown(name: string, stop: (deadlineMs: number) => Promise<void>): void;
  /** For a part that can never work again: the process drains and ends with exit code 1. */
  fail(error: unknown): void;
}

export interface KitOptions<Config> {
  readonly name: string;
  readonly config: Config;
  readonly log: Log;
  readonly metrics: Metrics;
  readonly tracing?: Tracing | undefined;
  /** A log of the same destination under another service's name. */
  readonly logFor?: (service: string) => Log;
  readonly onShutdown?: Kit['onShutdown'];
  readonly fail?: Kit['fail'];
}

/** A kit outside of `runProcess`: for tests and tools, which then stop themselves what they opened. */
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
