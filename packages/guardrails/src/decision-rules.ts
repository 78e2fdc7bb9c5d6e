import type { DecisionPolicy, GuardrailChecks } from '@tallyport/contracts';
import { type Asking, combineAsking } from './asking.ts';

/** A model that decides about the texts of a request or an answer, by all policies at once. */
export interface DecisionRule extends Asking {
  model: string;
  policies: readonly DecisionPolicy[];
}

/** One rule for each model, with the policies of all that name it. */
export function combineDecisions(named: readonly NonNullable<GuardrailChecks['decision']>[]): DecisionRule[] {
  const models = new Set(named.map(({ model }) => model));
  return [...models].map((model) => {
    const same = named.filter((each) => each.model === model);
    return { model, policies: same.flatMap(({ policies }) => policies), ...combineAsking(same) };
  });
}
