import type { GatewayError, Offer } from '@tallyport/contracts';
import type { ConnectionUse } from '@tallyport/outbound';
import type { EndReason, FailureType } from '../failure/attempt-failure.ts';
import type { CandidateReason } from '../plan/order.ts';

/** One upstream call, as the answer's `metadata.routing` shows it. */
export interface AttemptRecord {
  provider: string;
  model: string;
  status_code: number | null;
  error_type: FailureType | 'none';
  succeeded: boolean;
  duration_ms: number;
  /** The call used the account's own key, which pays for it. */
  own_key?: true;
  /** The call was a trial of an offer that failed before. */
  trial?: true;
}

/** Why an attempt was made, when, and how its request was sent: the part of its story that clients do not get. */
export interface AttemptRoute {
  /** Why the offer had its place in the plan. */
  reason: CandidateReason;
  /** The total of its score; the lowest is tried first. */
  score: number;
  /** From the end of planning to the start of the attempt. */
  startMs: number;
  /** The request was passed on in the client's own API, which the provider has, too. */
  native?: true;
  /** What was not sent as it was asked for. */
  weakened?: readonly string[];
  /** One for each request that was sent: several choices may need several. */
  connections?: readonly ConnectionUse[];
  /** The id of the account's own key that was used. */
  ownKeyId?: string;
  /** The provider's own failure in public words. Absent if the request caused it: the text may quote the request. */
  message?: string;
}

/** Reported once at the end of every request, chats and images alike. */
export interface RequestOutcome {
  attempts: readonly AttemptRecord[];
  /** One for each attempt, in the same order. */
  routes: readonly AttemptRoute[];
  /** The offer that answered; absent if none did. */
  served: Offer | undefined;
  /** The account's own key was used, so the service owes the provider nothing. */
  ownKey: boolean;
  durationMs: number;
  endReason: EndReason;
  /** The error that the client gets if the request failed. */
  error: GatewayError | undefined;
}
