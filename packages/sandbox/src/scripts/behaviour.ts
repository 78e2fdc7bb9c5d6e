/** One value all through a step, or a ramp from its beginning to its end. */
export type Course = number | readonly [from: number, to: number];

/** How a provider behaves for a while. What is left out is as always. */
export interface Step {
  readonly forMs: number;
  /** The share of requests that succeed; 0 where only a status is given, else 1. */
  readonly uptime?: Course;
  /** Before anything is answered. */
  readonly latencyMs?: Course;
  readonly chunksPerSecond?: Course;
  /** What a failing request gets, 503 unless said. */
  readonly status?: number;
  /** Seconds. */
  readonly retryAfter?: number;
}

/** What one request meets. */
export interface Behaviour {
  readonly uptime: number;
  readonly latencyMs: number;
  readonly chunksPerSecond: number | undefined;
  readonly status: number;
  readonly retryAfter: number | undefined;
}

export interface Timeline {
  readonly steps: readonly Step[];
  /** From the first step again after the last; otherwise all is well then. */
  readonly repeat?: boolean;
}

/** Where a timeline is after so long; nothing when it is over. */
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
