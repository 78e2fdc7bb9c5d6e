/** What edge knows of a request's time when the answer's head is here, in milliseconds. */
export interface EdgeTimes {
  authMs: number;
  totalMs: number;
}

const upstream = /\bupstream;dur=([\d.]+)/;

/** Completes the service's own `Server-Timing`: how long the key took, and all time that is ours rather than the provider's. */
export function serverTiming(told: string | undefined, { authMs, totalMs }: EdgeTimes): string | undefined {
  if (told === undefined) return undefined;
  const upstreamMs = Number(upstream.exec(told)?.[1] ?? 0);
  return `auth;dur=${authMs.toFixed(1)}, ${told}, gateway;dur=${Math.max(0, totalMs - upstreamMs).toFixed(1)}`;
}
