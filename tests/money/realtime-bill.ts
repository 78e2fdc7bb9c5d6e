import type { SimulatedVendors } from '@tallyport/simulator';

type RealtimeUsage = SimulatedVendors['realtime']['sessions'][number]['billed'][number];

/** What a response of a realtime session read and wrote, by the ledger's class, without zeros. */
export function countsOfRealtime(usage: RealtimeUsage): Record<string, number> {
  const { input_token_details: read, output_token_details: written } = usage;
  const { text_tokens: cachedText, audio_tokens: cachedAudio } = read.cached_tokens_details;
  const counts = {
    input: read.text_tokens - cachedText,
    cache_read: cachedText,
    audio_in: read.audio_tokens - cachedAudio,
    audio_cache_read: cachedAudio,
    output: written.text_tokens,
    audio_out: written.audio_tokens,
  };
  return Object.fromEntries(Object.entries(counts).filter(([, count]) => count > 0));
}

/** The vendor's prices of `gpt-realtime-2.1`, in dollars per ten million tokens: all are whole numbers. */
const prices: Readonly<Record<string, number>> = {
  input: 40,
  cache_read: 4,
  audio_in: 320,
  audio_cache_read: 4,
  output: 240,
  audio_out: 640,
};

export function dollarsOfRealtime(usage: RealtimeUsage): string {
  const tenMillionths = Object.entries(countsOfRealtime(usage)).reduce(
    (sum, [name, count]) => sum + count * (prices[name] ?? 0),
    0,
  );
  return (tenMillionths / 1e7).toFixed(7).replace(/\.?0+$/, '');
}
