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

const cacheUses: Readonly<Record<string, string>> = {
  hit: 'Answered from it',
  coalesced: 'Shared the answer of an identical request',
  miss: 'Looked up, not found',
  bypass: 'Not used',
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
