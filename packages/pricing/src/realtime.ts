import { noTokens } from '@tallyport/contracts';
import type { RequestEstimate } from './estimates.ts';

/** What a response of a realtime session reads, in tokens. */
export interface RealtimeInput {
  readonly text: number;
  readonly audio: number;
  /** The longest response that the session allows; absent without a limit. */
  readonly mostOutput?: number | undefined;
}

/** For responses without a limit: fifty seconds of speech. */
const usualOutput = 1_000;

/** Estimates a response that speaks. Nothing of what it reads counts as cached. */
export function estimateRealtime({ text, audio, mostOutput = usualOutput }: RealtimeInput): RequestEstimate {
  return {
    tokens: text + audio + mostOutput,
    at: ({ maxOutput = mostOutput }) => ({
      tokens: { ...noTokens, input: text, audioIn: audio, audioOut: Math.min(mostOutput, maxOutput) },
      images: 0,
    }),
  };
}
