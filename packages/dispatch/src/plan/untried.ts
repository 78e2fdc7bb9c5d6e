import {
  boundedText,
  type GatewayError,
  type Model,
  type UntriedOffer,
  type UntriedOffers,
} from '@tallyport/contracts';
import type { Exclusion } from './exclude.ts';
import { plansInTurn } from './healthy-first.ts';
import type { Candidate } from './order.ts';

/** The part of a plan that is read here. */
interface PlannedModel {
  model: Pick<Model, 'id'>;
  candidates: readonly Pick<Candidate, 'offer' | 'reason'>[];
  excluded: readonly Exclusion[];
}

interface PlannedModels extends PlannedModel {
  standIns?: readonly PlannedModel[];
  passedOver?: readonly PassedOver[];
}

/** A model that cannot serve a request, and why. */
export interface PassedOver {
  model: string;
  error: GatewayError;
}

type NamedOffer = Pick<UntriedOffer, 'model' | 'provider'>;

/** More would only make answers longer, and cost them more than 5 µs. */
export const mostUntried = 20;
const longestDetail = 200;

/**
 * The offers of all models of a request that were not tried: first those that could have been, in their order, with the
 * reason of their place, then those that were left out. `undefined` if all were tried.
 */
export function untriedOffers(
  { standIns, passedOver = [], ...own }: PlannedModels,
  tried: readonly NamedOffer[],
): UntriedOffers | undefined {
  const plans = plansInTurn<PlannedModel>(own, standIns);
  const list = openList(tried);
  for (const { model, candidates } of plans) {
    for (const { offer, reason } of candidates) list.add({ provider: offer.providerId, model: model.id, reason });
  }
  for (const { model, excluded } of plans) {
    for (const { offer, reason, detail } of excluded) {
      list.add({ provider: offer.providerId, model: model.id, reason, detail: boundedText(detail, longestDetail) });
    }
  }
  for (const each of passedOver) list.add(modelOf(each));
  return list.whole();
}

/** The same of models that were all passed over. */
export function untriedModels(passedOver: readonly PassedOver[]): UntriedOffers | undefined {
  const list = openList([]);
  for (const each of passedOver) {
    const { not_tried: offers = [modelOf(each)], not_tried_more: more = 0 } = each.error.untried ?? {};
    for (const offer of offers) list.add(offer);
    list.addMore(more);
  }
  return list.whole();
}

/** Has each offer once: a model that is asked under two names has its offers in the plan of the first. */
function openList(tried: readonly NamedOffer[]) {
  const untried: UntriedOffer[] = [];
  let more = 0;
  return {
    add(offer: UntriedOffer): void {
      const isSame = (other: NamedOffer) => other.provider === offer.provider && other.model === offer.model;
      if (tried.some(isSame) || untried.some(isSame)) return;
      if (untried.length < mostUntried) untried.push(offer);
      else more += 1;
    },
    addMore(count: number): void {
      more += count;
    },
    whole(): UntriedOffers | undefined {
      if (untried.length === 0) return undefined;
      return more === 0 ? { not_tried: untried } : { not_tried: untried, not_tried_more: more };
    },
  };
}

const modelOf = ({ model, error: { code, message } }: PassedOver): UntriedOffer => ({
  model,
  reason: code,
  detail: boundedText(message, longestDetail),
});
