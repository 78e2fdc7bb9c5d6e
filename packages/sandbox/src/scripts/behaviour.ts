/** One value for a whole step, or a ramp from its beginning to its end. */
export type Course = number | readonly [from: number, to: number];

/** How a provider behaves for a while. Absent members keep their defaults. */
export interface Step {
  readonly forMs: number;
  /** The share of requests that succeed. Defaults to 0 if only `status` is set, else to 1. */
  readonly uptime?: Course;
  /** Delay before each answer. */
  readonly latencyMs?: Course;
  readonly chunksPerSecond?: Course;
  /** The status of failed requests. Defaults to 503. */
  readonly status?: number;
  /** Seconds. */
  readonly retryAfter?: number;
}

/** The behaviour for one request. */
export interface Behaviour {
  readonly uptime: number;
  readonly latencyMs: number;
  readonly chunksPerSecond: number | undefined;
  readonly status: number;
  readonly retryAfter: number | undefined;
}

export interface Timeline {
  readonly steps: readonly Step[];
  /** Starts again after the last step; without it the provider is healthy then. */
  readonly repeat?: boolean;
}

/** The behaviour at a point in time; `undefined` after the last step. */
export function behaviourAt({ steps, repeat = false }: Timeline, elapsedMs: number): Behaviour | undefined {
  const total = steps.reduce((sum, { forMs }) => sum + forMs, 0);
  let left = repeat ? elapsedMs % total : elapsedMs;
  for (const step of steps) {
    if (left < step.forMs) return during(step, left / step.forMs);
    left -= step.forMs;
  }
  return undefined;
}

const during = (step: Step, share: number): Behaviour => ({
  uptime: valueAt(step.uptime ?? (step.status === undefined ? 1 : 0), share),
  latencyMs: valueAt(step.latencyMs ?? 0, share),
  chunksPerSecond: step.chunksPerSecond === undefined ? undefined : valueAt(step.chunksPerSecond, share),
  status: step.status ?? 503,
  retryAfter: step.retryAfter,
});

const valueAt = (course: Course, share: number): number =>
  typeof course === 'number' ? course : course[0] + (course[1] - course[0]) * share;
