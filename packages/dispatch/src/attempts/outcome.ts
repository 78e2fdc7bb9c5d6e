import type { GatewayError, Offer } from '@switchyard/contracts';
import type { EndReason, FailureType } from '../failure/attempt-failure.ts';

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
}

/** Reported once at the end of every request, chats and images alike. */
export interface RequestOutcome {
  attempts: readonly AttemptRecord[];
  /** The offer that answered; absent if none did. */
  served: Offer | undefined;
  /** The account's own key was used, so the service owes the provider nothing. */
  ownKey: boolean;
  durationMs: number;
  endReason: EndReason;
  /** The error that the client gets if the request failed. */
  error: GatewayError | undefined;
}
