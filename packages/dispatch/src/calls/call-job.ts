import type { Offer } from '@tallyport/contracts';
import type { Usage } from '@tallyport/wire';
import type { AttemptRecord } from '../attempts/outcome.ts';
import type { PlannedJob } from '../attempts/run.ts';
import type { ChatOutcome } from '../chat/chat-outcome.ts';

/** A request to an endpoint with models of its own, planned and ready to be tried. */
export interface PlannedCall<Call> extends PlannedJob {
  call: Call;
}

/** A call that is answered as a whole, such as one for embeddings. */
export interface CallJob<Call> extends PlannedCall<Call> {
  /** Called exactly once, when the request has ended. A call is counted like a chat. */
  onOutcome?(outcome: ChatOutcome): void;
}

export interface ServedCall<Answer> {
  readonly answer: Answer;
  /** With the cost, if known. Estimated if the provider reported none. */
  readonly usage: Usage;
  readonly offer: Offer;
  readonly routing: readonly AttemptRecord[];
}

export interface CallDispatch<Call, Answer> {
  /**
   * Resolves with the first successful answer. Throws GatewayError: the caller's fault as the provider reported it, or
   * that all failed.
   */
  serve(job: CallJob<Call>): Promise<ServedCall<Answer>>;
  /** Closes every upstream connection; requests still in progress fail. */
  close(): Promise<void>;
}
