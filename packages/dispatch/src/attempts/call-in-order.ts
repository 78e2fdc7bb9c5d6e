import type { Candidate } from '../plan/order.ts';
import type { Plan } from '../plan/plan.ts';
import type { Verdict } from '../standing/breakers.ts';
import type { Standings } from '../standing/standings.ts';

/** The calls of one request. */
interface Calls {
  call(candidate: Candidate): Promise<Verdict>;
  /** Whether the last call was final: no other candidate is called. */
  areOver(): boolean;
  /** Whether it may be called although its breaker does not permit it: its call is probably made elsewhere. */
  isUnguarded?(candidate: Candidate): boolean;
}

/**
 * Calls the candidates in the order of the plan, if their breakers permit it. A trial request for which there is no place
 * any more is the last choice instead. If no breaker permits a call, the first open breaker that allows a probe lets one
 * through, so an outage of all providers ends with the first success, at the cost of one slow request at a time.
 */
export async function callInOrder(
  standings: Pick<Standings, 'call'>,
  { candidates, maxAttempts }: Pick<Plan, 'candidates' | 'maxAttempts'>,
  calls: Calls,
): Promise<void> {
  let made = 0;
  const queue = [...candidates];
  for (const candidate of queue) {
    if (made >= maxAttempts) return;
    const purpose = candidate.reason === 'trial' ? 'trial' : 'usual';
    const call = () => calls.call(candidate);
    const calling = calls.isUnguarded?.(candidate) ? call() : standings.call(candidate.offer, purpose, call);
    if (calling === undefined) {
      if (purpose === 'trial') queue.push({ ...candidate, reason: 'recovering' });
      continue;
    }
    await calling;
    made += 1;
    if (calls.areOver()) return;
  }
  if (made > 0) return;
  for (const candidate of candidates) {
    const calling = standings.call(candidate.offer, 'last_resort', () => calls.call(candidate));
    if (calling !== undefined) return calling;
  }
}
