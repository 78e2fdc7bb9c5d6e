import type { AudioUse } from '@tallyport/pricing';
import type { RequestOutcome } from '../attempts/outcome.ts';

/** How a request for speech or a transcription ended. */
export interface AudioOutcome extends RequestOutcome {
  /** Absent if there is nothing to pay for. */
  use: AudioUse | undefined;
  /** From the start of the request to the first bytes of the answer. */
  firstContentMs: number | undefined;
}
