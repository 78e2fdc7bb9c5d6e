import type { Principal, ScoreWeights } from '@tallyport/contracts';
import type { ProviderPreferences } from '@tallyport/wire';
import type { RoutingSettings } from '../settings.ts';
import { sortedBy } from './preferences.ts';

/** The weights with which the offers of a plan are compared. */
export interface PlanWeights {
  from: 'account' | 'operator' | 'request';
  values: Readonly<ScoreWeights>;
}

interface WeightsQuestion {
  principal?: Principal | undefined;
  preferences?: ProviderPreferences | undefined;
}

/** What a request is sorted by decides alone. The weights of an account come before those of the operator. */
export function weightsOf(
  { principal, preferences }: WeightsQuestion,
  { weights }: Pick<RoutingSettings, 'weights'>,
): PlanWeights {
  const by = preferences && sortedBy(preferences);
  if (by !== undefined) return { from: 'request', values: { ...unweighted, [by]: 1 } };
  const own = principal?.scoreWeights;
  return own === undefined ? { from: 'operator', values: weights } : { from: 'account', values: own };
}

const unweighted: ScoreWeights = { uptime: 0, throughput: 0, price: 0, latency: 0 };
