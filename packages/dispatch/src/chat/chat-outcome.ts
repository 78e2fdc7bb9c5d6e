import type { ChatCompletion, Usage } from '@tallyport/wire';
import type { RequestOutcome } from '../attempts/outcome.ts';

/** What a vendor said about its answer. */
export interface AnswerFacts {
  model: string;
  /** Of each choice; `error` for one that did not end. */
  finishReasons: readonly string[];
}

export const answerFacts = ({ model, choices }: ChatCompletion): AnswerFacts => ({
  model,
  finishReasons: choices.map(({ finish_reason: reason }) => reason),
});

/** How a chat ended. */
export interface ChatOutcome extends RequestOutcome {
  usage: Usage | undefined;
  /** The figures are our estimate: the provider reported none before the end. */
  usageEstimated: boolean;
  /** The provider reported more than its model can have used; the figures are capped. */
  usageAdjusted?: boolean | undefined;
  /** Frames of a stream that could not be parsed and were skipped. */
  skippedFrames: number;
  /** Images delivered. */
  images: number;
  /** From the start of the request to the first content; if it was not streamed, to the whole answer. */
  firstContentMs: number | undefined;
  /** Absent if there is no answer. */
  answer?: AnswerFacts | undefined;
}

/** The outcome of a chat that no provider answered: there is nothing to pay for. */
export const nothingDelivered = {
  served: undefined,
  usage: undefined,
  usageEstimated: false,
  skippedFrames: 0,
  images: 0,
  firstContentMs: undefined,
} as const satisfies Partial<ChatOutcome>;
