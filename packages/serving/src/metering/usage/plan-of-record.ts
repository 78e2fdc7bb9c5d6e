import { boundedText, mostPlannedOffers, type UsagePlan } from '@tallyport/contracts';
import { type PassedOver, type Plan, plansInTurn } from '@tallyport/dispatch';
import { threeDecimals } from './three-decimals.ts';

type PlannedOffer = UsagePlan['offers'][number];

type PlannedModel = Pick<Plan, 'candidates' | 'excluded' | 'model'>;
type RecordedPlan = PlannedModel & Pick<Plan, 'maxAttempts' | 'passedOver' | 'standIns'>;

/** Details name what left an offer out, in few words. */
const longestDetail = 200;

/** The offers of a plan with their scores, for its record; `undefined` if there was nothing to choose. */
export function planOf({ standIns = [], passedOver = [], ...own }: RecordedPlan): UsagePlan | undefined {
  const isOneModel = standIns.length + passedOver.length === 0;
  const plans = plansInTurn<PlannedModel>(own, standIns);
  const nameOf = ({ model }: PlannedModel) => (isOneModel ? undefined : model.id);
  const tried = plans.flatMap((plan) => plan.candidates.map((each) => candidateOf(each, nameOf(plan))));
  const left = plans.flatMap((plan) => plan.excluded.map((each) => excludedOf(each, nameOf(plan))));
  const all = [...tried, ...left, ...passedOver.map(passedOf)];
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
  detail: boundedText(detail, longestDetail),
});

const passedOf = ({ model, error: { code, message } }: PassedOver): PlannedOffer => ({
  provider: '',
  model: boundedText(model, longestDetail),
  reason: code,
  detail: boundedText(message, longestDetail),
});
