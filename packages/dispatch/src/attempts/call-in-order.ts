import type { Candidate } from '../plan/order.ts';
import type { Plan } from '../plan/plan.ts';
import type { Breakers, Verdict } from '../standing/breakers.ts';
import { offerKey } from '../standing/standings.ts';

/** The calls of one request. */
export interface Calls {
  call(candidate: Candidate): Promise<Verdict>;
  /** Whether the last call was final: no other candidate is called. */
  areOver(): boolean;
}

/**
 * Calls the candidates in the order of the plan, if their breakers permit it. If no breaker permits a call, the first
 * open breaker that allows a probe lets one through, so an outage of all providers ends with the first success, at the
 * cost of one slow request at a time.
 */
export async function callInOrder(
  breakers: Breakers,
  { candidates, maxAttempts }: Pick<Plan, 'candidates' | 'maxAttempts'>,
  calls: Calls,
): Promise<void> {
  let made = 0;
  for (const candidate of candidates) {
    if (made >= maxAttempts) return;
    const calling = breakers.call(offerKey(candidate.offer), () => calls.call(candidate));
    if (calling === undefined) continue;
    await calling;
    made += 1;
    if (calls.areOver()) return;
  }
  if (made > 0) return;
  for (const candidate of candidates) {
    const calling = breakers.callAnyway(offerKey(candidate.offer), () => calls.call(candidate));
    if (calling !== undefined) return calling;
  }
}
