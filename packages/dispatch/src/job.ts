import type { ChatCall } from '@switchyard/providers';
import type { Outcome } from './outcome.ts';
import type { Plan } from './plan/plan.ts';

/** One logical chat request, planned and ready to be tried. */
export interface ChatJob {
  call: ChatCall;
  plan: Plan;
  /** Aborting closes the upstream's socket at once; a GatewayError as its reason is what the request fails with. */
  signal: AbortSignal;
  /** For answers whose provider gave no id. */
  completionId: string;
  /** Unix seconds. */
  created: number;
  /** Told of tool calls that came with a signature, as soon as it is known. */
  keepSignature?: (callId: string, signature: string) => void;
  /** Told once, when the request is over, however it ended. */
  onOutcome?(outcome: Outcome): void;
}
