import type { Outcome } from '@switchyard/dispatch';
import type { Reservation } from '@switchyard/limits';

/** What was set aside becomes what was used: what was delivered of a stream that was left, nothing where all failed. */
export function settling(
  tokens: Reservation | undefined,
  told: (outcome: Outcome) => void,
): (outcome: Outcome) => void {
  if (!tokens) return told;
  return (outcome) => {
    tokens.settle(outcome.usage?.total_tokens ?? 0);
    told(outcome);
  };
}
