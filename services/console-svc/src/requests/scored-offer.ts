import type { ExplainedCandidate, ExplainedFactor, FactorTitle } from '../gateway/explained-route.ts';

/** An offer that may be tried, with the parts of its score: now, or at the time of a request. */
export interface ScoredOffer {
  provider: string;
  key: 'own' | 'service';
  reason: string;
  score: number;
  factors: Readonly<Partial<Record<FactorTitle, ExplainedFactor | undefined>>>;
  uptimePenalty: number;
  priorityPenalty: number;
}

export const scoredNow = ({
  uptime_penalty: uptimePenalty,
  priority_penalty: priorityPenalty,
  ...candidate
}: ExplainedCandidate): ScoredOffer => ({ ...candidate, uptimePenalty, priorityPenalty });

/** Says that lower is better, and why the first offer is first where its score is not the lowest. */
export function orderText(offers: readonly ScoredOffer[]): string {
  const [first] = offers;
  const lowest = offers.toSorted((one, other) => one.score - other.score)[0];
  const general = 'Lower scores are better.';
  if (first === undefined || lowest === undefined || lowest.score >= first.score) return general;
  return `${general} ${first.provider} is first although ${lowest.provider} has a lower score: see Why here.`;
}
