import type { Usage } from '@switchyard/wire';
import type { RequestOutcome } from '../attempts/outcome.ts';

/** What a chat came to. */
export interface ChatOutcome extends RequestOutcome {
  usage: Usage | undefined;
  /** The figures are ours: the provider reported none before the end. */
  usageEstimated: boolean;
  /** Frames of a stream that could not be read and were left out. */
  skippedFrames: number;
  /** Images that were delivered. */
  images: number;
  /** From the start of the request to the first content, or to the whole answer when it is not streamed. */
  firstContentMs: number | undefined;
}

/** Of a chat that no provider answered: there is nothing to pay. */
export const nothingDelivered = {
  served: undefined,
  usage: undefined,
  usageEstimated: false,
  skippedFrames: 0,
  images: 0,
  firstContentMs: undefined,
} as const satisfies Partial<ChatOutcome>;
