const endReasons: Readonly<Record<string, string>> = {
  done: 'Completed.',
  refused: 'Refused before a provider was called.',
  client_gone: 'The client disconnected before the end.',
  upstream_cut: 'The provider ended the stream too early.',
  stall: 'The provider sent nothing for too long.',
  max_duration: 'The request took longer than allowed.',
  error: 'No provider could answer it.',
  shutdown: 'The gateway was stopped before the end.',
};

/** How a request ended, as a sentence. Reasons of another version are shown as they are. */
export const endReasonText = (reason: string): string => endReasons[reason] ?? words(reason);

const routeReasons: Readonly<Record<string, string>> = {
  score: 'The best score of the healthy offers that remained.',
  tie: 'As good as the best within the margin, and earlier in the catalogue.',
  explore: 'Tried first on purpose, to keep its measurements current.',
  affinity: 'It answered this conversation before and has its prompt cached.',
  pinned: 'The request named this provider.',
  rerouted: 'The request named another provider, whose uptime is too low.',
  fallback: 'Behind the provider that the request named, in case that one fails.',
  trial: 'A trial request: it failed, and successes give it its share of the requests back.',
  recovering: 'Behind the healthy offers: it failed, and its next trial request may not start yet.',
  low_uptime: 'Behind the healthy offers: its uptime is too low.',
  cooldown: 'Behind the healthy offers: the provider asked for a pause.',
  breaker_open: 'Behind the healthy offers: its breaker is open.',
};

/** Why an offer had its place in the plan, as a sentence. */
export const routeReasonText = (reason: string | undefined): string =>
  reason === undefined ? 'Not recorded.' : (routeReasons[reason] ?? words(reason));

const cacheUses: Readonly<Record<string, string>> = {
  hit: 'Answered from the cache',
  coalesced: 'Shared the answer of an identical request',
  miss: 'Not in the cache',
  bypass: 'Cache not used',
};

export const cacheText = (use: string | undefined): string =>
  use === undefined ? 'Not recorded' : (cacheUses[use] ?? words(use));

/** `provider_overloaded` as `provider overloaded`. */
export const words = (code: string): string => code.replaceAll('_', ' ');

export const whole = (count: number): string => count.toLocaleString('en-US');

/** `1.4 ms`, `320 ms`, `1.24 s` or `2 min 5 s`. */
export function duration(ms: number): string {
  if (ms < 9.95) return `${Number(ms.toFixed(1))} ms`;
  if (ms < 999.5) return `${Math.round(ms)} ms`;
  if (ms < 59_995) return `${(ms / 1_000).toFixed(2)} s`;
  const seconds = Math.round(ms / 1_000);
  return `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
}
