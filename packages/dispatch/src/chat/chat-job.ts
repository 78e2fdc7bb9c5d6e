import type { ChatCall, PromptReuse } from '@tallyport/providers';
import type { NativeRequest } from '@tallyport/wire';
import type { PlannedJob } from '../attempts/run.ts';
import type { ChatOutcome } from './chat-outcome.ts';

/** One logical chat request, planned and ready to be tried. */
export interface ChatJob extends PlannedJob {
  call: ChatCall;
  /** The request in the client's own API. Providers that have it get this instead of the call. */
  native?: NativeRequest | undefined;
  /** Set if prompts are marked for the caches of vendors that cache only what is marked. */
  reuse?: PromptReuse | undefined;
  /** The request has members that an offer may leave out or change. */
  isShaped?: boolean;
  /** The id of the answer if the provider gave none. */
  completionId: string;
  /** Unix seconds. */
  created: number;
  /** Called for each tool call with a signature, as soon as it is known. */
  keepSignature?: (callId: string, signature: string) => void;
  /** Called exactly once, when the request has ended. */
  onOutcome?(outcome: ChatOutcome): void;
}
