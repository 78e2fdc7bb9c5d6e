import type { Candidate } from './plan/order.ts';
import type { Plan } from './plan/plan.ts';
import type { Breakers, Passage } from './standing/breakers.ts';
import { offerKey } from './standing/standings.ts';

export interface Admitted {
  candidate: Candidate;
  passage: Passage;
}

/**
 * The candidates whose breakers let them be called, asked one by one. When none does, the first that lets one call past
 * its open breaker: an outage of everything ends with the first answer, and costs one slow request at a time.
 */
export function* admitted(breakers: Breakers, plan: Pick<Plan, 'candidates' | 'maxAttempts'>): Generator<Admitted> {
  let calls = 0;
  for (const candidate of plan.candidates) {
    if (calls >= plan.maxAttempts) return;
    const passage = breakers.enter(offerKey(candidate.offer));
    if (passage === undefined) continue;
    calls += 1;
    yield { candidate, passage };
  }
  if (calls > 0) return;
  for (const candidate of plan.candidates) {
    const passage = breakers.enterAnyway(offerKey(candidate.offer));
    if (passage !== undefined) return yield { candidate, passage };
  }
}
