import type { ChatCall } from '@switchyard/providers';
import type { PlannedJob } from '../attempts/run.ts';
import type { ChatOutcome } from './chat-outcome.ts';

/** One logical chat request, planned and ready to be tried. */
export interface ChatJob extends PlannedJob {
  call: ChatCall;
  /** For answers whose provider gave no id. */
  completionId: string;
  /** Unix seconds. */
  created: number;
  /** Called for tool calls that came with a signature, as soon as it is known. */
  keepSignature?: (callId: string, signature: string) => void;
  /** Called once, when the request is over, however it ended. */
  onOutcome?(outcome: ChatOutcome): void;
}
