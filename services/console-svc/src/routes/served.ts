import type { Route } from '@tallyport/contracts';
import type { UsedRoute } from '@tallyport/management';

/** Who answered for a route since its targets last changed. */
export interface Served {
  since: string;
  /** Of each target, from 0 to 1, among the requests for which the weights decided. */
  shares: ReadonlyMap<string, number>;
  /** How many those are. */
  byWeight: number;
  /** Those that a condition decided, or that no target answered. */
  others: number;
}

/** A target counts what it answered, also in the place of another one. Shadows answer no client. */
export function servedOf({ targets }: Pick<Route, 'targets'>, { since, models }: UsedRoute): Served {
  const sum = (reasons: readonly string[], model?: string): number =>
    models.reduce(
      (total, used) =>
        reasons.includes(used.reason) && (model === undefined || used.model === model) ? total + used.requests : total,
      0,
    );
  const byWeight = sum(ofTargets);
  const shares = targets.map(({ model }) => [model, byWeight === 0 ? 0 : sum(ofTargets, model) / byWeight] as const);
  return { since, byWeight, others: sum(['condition', 'then']), shares: new Map(shares) };
}

const ofTargets = ['weight', 'other_target'];
