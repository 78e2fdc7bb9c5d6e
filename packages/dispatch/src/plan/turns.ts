import type { Offer } from '@tallyport/contracts';
import type { Plan, PlannedRoute } from './plan.ts';

/** The offers of the models before, which another name of their model must not bring a second time. */
export const offersBefore = (before: readonly Plan[]): ReadonlySet<Offer> =>
  new Set(before.flatMap(({ candidates }) => candidates.map(({ offer }) => offer)));

/** The plan of a model that a route led to. The client asked for the route. */
export const routedPlan = (plan: Plan, route: PlannedRoute | undefined): Plan =>
  route === undefined ? plan : { ...plan, requestedModel: route.name, route };
