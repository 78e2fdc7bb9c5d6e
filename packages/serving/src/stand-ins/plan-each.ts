import { type GatewayError, toGatewayError, withUntried } from '@tallyport/contracts';
import { bestFirst, type PassedOver, type Plan, untriedModels } from '@tallyport/dispatch';
import type { ProviderPreferences } from '@tallyport/wire';
import type { AskedModel } from './asked-models.ts';

interface PlanningOfEach<Planned> {
  /** Plans one model. Those in `before` have their turn already. */
  planWith(asked: AskedModel, before: readonly Planned[]): Promise<Planned>;
  planOf(planned: Planned): Plan;
  preferences: ProviderPreferences | undefined;
}

export interface EachPlanned<Planned> {
  own: Planned;
  standIns: readonly Planned[];
  /** Models that cannot serve the request, and why. */
  passedOver: readonly PassedOver[];
}

/**
 * Plans a request with each of the models that it names; the first one that can serve it is its own, or the
 * best one if the request prefers that. A model is passed
 * over if the gateway does not know it or cannot call it, it lacks what the request needs, or the caller may not use it. If that is true of
 * all, throws the first reason that is more than missing access.
 */
export async function planEach<Planned>(
  models: readonly AskedModel[],
  { planWith, planOf, preferences }: PlanningOfEach<Planned>,
): Promise<EachPlanned<Planned>> {
  const planned: Planned[] = [];
  const passedOver: PassedOver[] = [];
  for (const asked of models) {
    try {
      planned.push(await planWith(asked, planned));
    } catch (thrown) {
      const error = toGatewayError(thrown);
      if (error.domain === 'gateway') throw thrown;
      passedOver.push({ model: asked.model, error });
    }
  }
  const [own, ...others] = bestFirst(planned, { preferences, planOf });
  if (own !== undefined) return { own, standIns: others, passedOver };
  const first = passedOver.find(({ error }) => !isWithoutAccess(error)) ?? passedOver[0];
  if (first === undefined) throw new TypeError('A request was planned without a model.');
  throw withUntried(first.error, untriedModels(passedOver));
}

const isWithoutAccess = ({ untried }: GatewayError): boolean =>
  untried?.not_tried.every(({ reason }) => reason === 'no_access') === true;
