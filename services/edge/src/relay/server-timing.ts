/** What edge has measured when the response head arrives, in milliseconds. */
export interface EdgeTimes {
  authMs: number;
  totalMs: number;
}

const upstream = /\bupstream;dur=([\d.]+)/;

/**
 * Adds to the service's own `Server-Timing` the duration of the key look-up and the total time spent outside the
 * provider.
 */
export function serverTiming(serviceTiming: string | undefined, { authMs, totalMs }: EdgeTimes): string | undefined {
  if (serviceTiming === undefined) return undefined;
  const upstreamMs = Number(upstream.exec(serviceTiming)?.[1] ?? 0);
  return `auth;dur=${authMs.toFixed(1)}, ${serviceTiming}, gateway;dur=${Math.max(0, totalMs - upstreamMs).toFixed(1)}`;
}
