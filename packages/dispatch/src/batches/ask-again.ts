import { setTimeout as pause } from 'node:timers/promises';
import { GatewayError } from '@tallyport/contracts';

/** Vendors limit how many batches are opened at a time: xAI takes one a second. */
export const usualPausesMs: readonly number[] = [1_000, 2_000, 4_000, 8_000, 16_000];

const longestPauseMs = 20_000;

/** Asks again after each of these pauses, or the longer one that the vendor names, while it has too many requests. */
export async function askAgain<Answer>(ask: () => Promise<Answer>, pausesMs: readonly number[]): Promise<Answer> {
  for (const pauseMs of pausesMs) {
    try {
      return await ask();
    } catch (thrown) {
      if (!(thrown instanceof GatewayError) || thrown.provider?.status !== 429) throw thrown;
      const named = Math.min(thrown.retryAfterMs ?? 0, longestPauseMs);
      // Spread, because the parts of a batch ask together.
      await pause(Math.max(named, pauseMs) * (0.5 + Math.random()));
    }
  }
  return ask();
}
