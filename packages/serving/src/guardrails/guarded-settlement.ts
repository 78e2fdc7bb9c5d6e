import type { GatewayError, RequestHead } from '@tallyport/contracts';
import type { RequestReservation, Settlement } from '../metering/index.ts';
import type { AnswerGuard } from './answer-guard.ts';

/** Settles a request whose caller has rules. */
interface GuardedSettlement {
  settle(settlement: Settlement): void;
  /** Call when the answer is inspected, or will be while it is sent; with an error, if there is none to send. */
  inspected(error?: GatewayError): void;
}

/**
 * Adds what the rules found to the settlement. A provider's outcome is known before its whole answer is inspected, so
 * the settlement waits for that.
 */
export function guardedSettlement(
  reserved: Pick<RequestReservation, 'settle'>,
  { findings: inRequest = [] }: RequestHead,
  guard: AnswerGuard | undefined,
): GuardedSettlement {
  let waiting: Settlement | undefined;
  let isInspected = guard === undefined;

  function settle(settlement: Settlement, error = guard?.failure()): void {
    const failed = error && { endReason: 'error', error };
    reserved.settle({ ...settlement, ...failed, findings: [...inRequest, ...(guard?.findings() ?? [])] });
  }

  return {
    settle(settlement) {
      if (isInspected) settle(settlement);
      else waiting ??= settlement;
    },
    inspected(error) {
      if (isInspected) return;
      isInspected = true;
      if (waiting !== undefined) settle(waiting, error);
    },
  };
}
