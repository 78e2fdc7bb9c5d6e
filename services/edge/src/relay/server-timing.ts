/** What edge has measured when the response head arrives, in milliseconds. */
interface EdgeTimes {
  authMs: number;
  totalMs: number;
}

const upstream = 'upstream;dur=';

/**
 * Adds to the service's own `Server-Timing` the duration of the key look-up and the total time spent outside the
 * provider.
 */
export function serverTiming(serviceTiming: string | undefined, { authMs, totalMs }: EdgeTimes): string | undefined {
  if (serviceTiming === undefined) return undefined;
  const at = serviceTiming.indexOf(upstream);
  const upstreamMs = at < 0 ? 0 : Number.parseFloat(serviceTiming.slice(at + upstream.length));
  return `auth;dur=${tenths(authMs)}, ${serviceTiming}, gateway;dur=${tenths(Math.max(0, totalMs - upstreamMs))}`;
}

/** With one decimal, like `toFixed(1)` at a third of its cost. */
function tenths(ms: number): string {
  const count = Math.round(ms * 10);
  return `${Math.floor(count / 10)}.${count % 10}`;
}
