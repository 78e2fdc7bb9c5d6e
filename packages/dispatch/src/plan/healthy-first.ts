import { type Candidate, isPutBehind } from './order.ts';

interface Ordered {
  candidates: readonly Pick<Candidate, 'reason'>[];
}

/**
 * The order in which the models of a request have their turn: as named, but one without any healthy offer is the last
 * resort.
 */
export function healthyFirst<Planned>(all: readonly Planned[], planOf: (planned: Planned) => Ordered): Planned[] {
  const isHealthy = (planned: Planned): boolean =>
    planOf(planned).candidates.some(({ reason }) => !isPutBehind(reason));
  return [...all.filter(isHealthy), ...all.filter((planned) => !isHealthy(planned))];
}

/** The plans of a request's models in this order. */
export const plansInTurn = <Planned extends Ordered>(
  own: Planned,
  standIns: readonly Planned[] = [],
): readonly Planned[] => (standIns.length === 0 ? [own] : healthyFirst([own, ...standIns], (plan) => plan));
