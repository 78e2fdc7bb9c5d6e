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
  /** Made with the account's own key, which pays for it. */
  own_key?: true;
}

/** What every request reports once, when it is over, whatever it asked for. */
export interface RequestOutcome {
  attempts: readonly AttemptRecord[];
  /** The offer that served; absent when none did. */
  served: Offer | undefined;
  /** Served with the account's own key: the service owes its provider nothing for it. */
  ownKey: boolean;
  durationMs: number;
  endReason: EndReason;
  /** What the client gets when it did not end well. */
  error: GatewayError | undefined;
}
