import { z } from 'zod';

export const mostPlannedOffers = 12;
export const longestPlanText = 4_096;

interface PlannedFactor {
  value: number;
  ratio: number;
  weight: number;
}

interface PlannedOffer {
  /** Empty if it is true of the whole model. */
  provider: string;
  /** Of a request that names several models. */
  model?: string | undefined;
  /** Why it had its place, or why it was left out. */
  reason: string;
  /** What exactly left it out. */
  detail?: string | undefined;
  ownKey?: true | undefined;
  /** Absent if it was left out. The score is the sum of both penalties and of each ratio times its weight. */
  score?: number | undefined;
  factors?: Record<string, PlannedFactor> | undefined;
  uptimePenalty?: number | undefined;
  priorityPenalty?: number | undefined;
}

/** The plan of a request: the offers in the order in which they are tried, then those that were left out. */
export interface UsagePlan {
  /** At most this many offers were to be tried. */
  mostAttempts: number;
  offers: PlannedOffer[];
  /** How many more offers there were. */
  more?: number | undefined;
}

/** What few offers have. */
const rest = z.object({
  model: z.string().optional(),
  ownKey: z.literal(true).optional(),
  uptimePenalty: z.number().optional(),
  priorityPenalty: z.number().optional(),
});
type Rest = z.infer<typeof rest>;

/** A candidate has its score, the place of its weights, and value and ratio of each factor; any other offer a detail. */
const candidate = z.tuple([z.string(), z.string(), z.number(), z.int(), z.array(z.number()), rest.optional()]);
const leftOut = z.tuple([z.string(), z.string(), z.string(), rest.optional()]);
const planText = z.tuple([
  z.int(),
  /** How many more there were. */
  z.int(),
  z.array(z.record(z.string(), z.number())),
  z.array(z.union([candidate, leftOut])),
]);
type PlanText = z.infer<typeof planText>;
type OfferText = PlanText[3][number];

/**
 * The text that a record has of a plan: less than half of the plan as JSON, because nearly every record has one. Offers at the end
 * that do not fit are counted.
 */
export function textOfPlan({ mostAttempts, offers, more = 0 }: UsagePlan): string {
  const weights: Record<string, number>[] = [];
  const texts = offers.map((offer) => textOfOffer(offer, weights));
  for (let left = more; ; left += 1) {
    const text = JSON.stringify([mostAttempts, left, weights, texts] satisfies PlanText);
    if (text.length <= longestPlanText || texts.pop() === undefined) return text;
  }
}

function textOfOffer(offer: PlannedOffer, weights: Record<string, number>[]): OfferText {
  const { provider, reason, score, factors = {}, detail = '' } = offer;
  const more = restOf(offer);
  if (score === undefined) return more === undefined ? [provider, reason, detail] : [provider, reason, detail, more];
  const numbers: number[] = [];
  for (const { value, ratio } of Object.values(factors)) numbers.push(value, ratio);
  const at = placeOf(factors, weights);
  return more === undefined ? [provider, reason, score, at, numbers] : [provider, reason, score, at, numbers, more];
}

/** Weights are the same for all offers of a model, and mostly for those of other models. */
function placeOf(factors: Record<string, PlannedFactor>, weights: Record<string, number>[]): number {
  const names = Object.keys(factors);
  const known = weights.findIndex(
    (each) => Object.keys(each).length === names.length && names.every((name) => each[name] === factors[name]?.weight),
  );
  if (known >= 0) return known;
  return weights.push(Object.fromEntries(names.map((name) => [name, factors[name]?.weight ?? 0]))) - 1;
}

function restOf({ model, ownKey, uptimePenalty, priorityPenalty }: PlannedOffer): Rest | undefined {
  if ((model ?? ownKey ?? uptimePenalty ?? priorityPenalty) === undefined) return undefined;
  return { model, ownKey, uptimePenalty, priorityPenalty };
}

/** The plan of a text; `undefined` if there is none, or it is of another version. */
export function planOfText(text: string | undefined): UsagePlan | undefined {
  const read = planText.safeParse(jsonOf(text));
  if (!read.success) return undefined;
  const [mostAttempts, more, weights, offers] = read.data;
  return { mostAttempts, offers: offers.map((offer) => offerOf(offer, weights)), ...(more > 0 && { more }) };
}

function offerOf(offer: OfferText, weights: PlanText[2]): PlannedOffer {
  const [provider, reason, score] = offer;
  if (typeof score === 'string') {
    const [, , detail, more] = offer as z.infer<typeof leftOut>;
    return { provider, reason, ...(detail !== '' && { detail }), ...more };
  }
  const [, , , at, numbers, more] = offer as z.infer<typeof candidate>;
  const named = Object.entries(weights[at] ?? {});
  const factors = named.map(([name, weight], place) => {
    const [value = 0, ratio = 1] = numbers.slice(place * 2);
    return [name, { value, ratio, weight }];
  });
  return { provider, reason, score, factors: Object.fromEntries(factors), ...more };
}

function jsonOf(text = ''): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
