import type { AnswerFacts, RequestOutcome } from '@tallyport/dispatch';
import type { Usage } from '@tallyport/wire';

/** What the GenAI conventions report of the call that answered, beyond what every outcome has. */
export interface GenAiFacts {
  usage?: Usage | undefined;
  answer?: AnswerFacts | undefined;
  /** From the start of the request to the first content, if the answer was streamed. */
  firstContentMs?: number | undefined;
}

/** From the start of the last call to the first content. */
export const firstChunkMs = ({ routes }: RequestOutcome, { firstContentMs }: GenAiFacts): number | undefined =>
  firstContentMs === undefined ? undefined : Math.max(0, firstContentMs - (routes.at(-1)?.startMs ?? 0));
