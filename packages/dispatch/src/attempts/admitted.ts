import type { Candidate } from '../plan/order.ts';
import type { Plan } from '../plan/plan.ts';
import type { Breakers, BreakerPermit } from '../standing/breakers.ts';
import { offerKey } from '../standing/standings.ts';

export interface Admitted {
  candidate: Candidate;
  permit: BreakerPermit;
}

/**
 * The candidates whose breakers permit a call, one by one. When none does, the first whose open breaker permits a single
 * call all the same: an outage of every provider ends with the first answer, at the cost of one slow request at a time.
 */
export function* admitted(breakers: Breakers, plan: Pick<Plan, 'candidates' | 'maxAttempts'>): Generator<Admitted> {
  let calls = 0;
  for (const candidate of plan.candidates) {
    if (calls >= plan.maxAttempts) return;
    const permit = breakers.enter(offerKey(candidate.offer));
    if (permit === undefined) continue;
    calls += 1;
    yield { candidate, permit };
  }
  if (calls > 0) return;
  for (const candidate of plan.candidates) {
    const permit = breakers.enterAnyway(offerKey(candidate.offer));
    if (permit !== undefined) return yield { candidate, permit };
  }
}
