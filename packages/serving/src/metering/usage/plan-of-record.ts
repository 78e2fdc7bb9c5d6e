import { mostPlannedOffers, type UsagePlan } from '@tallyport/contracts';
import type { Plan } from '@tallyport/dispatch';
import { boundedText, threeDecimals } from './bounded-values.ts';

type PlannedOffer = UsagePlan['offers'][number];

type RecordedPlan = Pick<Plan, 'candidates' | 'excluded' | 'maxAttempts' | 'model' | 'standIns'>;

/** The offers of a plan with their scores, for its record; `undefined` if there was nothing to choose. */
export function planOf({ standIns = [], ...own }: RecordedPlan): UsagePlan | undefined {
  const plans = standIns.length === 0 ? [{ ...own, model: undefined }] : [own, ...standIns];
  const tried = plans.flatMap(({ candidates, model }) => candidates.map((each) => candidateOf(each, model?.id)));
  const left = plans.flatMap(({ excluded, model }) => excluded.map((each) => excludedOf(each, model?.id)));
  const all = [...tried, ...left];
  if (all.length < 2) return undefined;
  const offers = all.slice(0, mostPlannedOffers);
  const more = all.length - offers.length;
  return { mostAttempts: own.maxAttempts, offers, ...(more > 0 && { more }) };
}

function candidateOf(
  { offer, reason, score, ownKey }: Plan['candidates'][number],
  model: string | undefined,
): PlannedOffer {
  const factors: NonNullable<PlannedOffer['factors']> = {};
  for (const [name, { value, ratio, weight }] of Object.entries(score.factors)) {
    // A price per token is tiny, so it keeps four digits instead of three decimals.
    const shown = name === 'price' ? Number(value.toPrecision(4)) : threeDecimals(value);
    factors[name] = { value: shown, ratio: threeDecimals(ratio), weight: threeDecimals(weight) };
  }
  const planned: PlannedOffer = { provider: offer.providerId, reason, score: threeDecimals(score.total), factors };
  if (model !== undefined) planned.model = model;
  if (ownKey) planned.ownKey = ownKey;
  if (score.penalty > 0) planned.uptimePenalty = threeDecimals(score.penalty);
  if (score.priority > 0) planned.priorityPenalty = threeDecimals(score.priority);
  return planned;
}

const excludedOf = ({ offer, reason, detail }: Plan['excluded'][number], model: string | undefined): PlannedOffer => ({
  provider: offer.providerId,
  ...(model !== undefined && { model }),
  reason,
  detail: boundedText(detail),
});
