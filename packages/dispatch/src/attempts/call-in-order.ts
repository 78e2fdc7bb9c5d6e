import type { Candidate } from '../plan/order.ts';
import type { Plan } from '../plan/plan.ts';
import type { Breakers, Verdict } from '../standing/breakers.ts';
import { offerKey } from '../standing/standings.ts';

export interface CallResult {
  verdict: Verdict;
  /** Stop here: do not call another candidate. */
  final: boolean;
}

/**
 * Calls the candidates in the order of the plan, if their breakers permit it. If no breaker permits a call, the first
 * open breaker that allows a probe lets one through, so an outage of all providers ends with the first success, at the
 * cost of one slow request at a time.
 */
export async function callInOrder(
  breakers: Breakers,
  { candidates, maxAttempts }: Pick<Plan, 'candidates' | 'maxAttempts'>,
  call: (candidate: Candidate) => Promise<CallResult>,
): Promise<void> {
  const results: CallResult[] = [];
  const callingOf = (candidate: Candidate) => async (): Promise<Verdict> => {
    const result = await call(candidate);
    results.push(result);
    return result.verdict;
  };
  for (const candidate of candidates) {
    if (results.length >= maxAttempts) return;
    await breakers.call(offerKey(candidate.offer), callingOf(candidate));
    if (results.at(-1)?.final) return;
  }
  if (results.length > 0) return;
  for (const candidate of candidates) {
    await breakers.callAnyway(offerKey(candidate.offer), callingOf(candidate));
    if (results.length > 0) return;
  }
}
