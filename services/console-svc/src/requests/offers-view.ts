import type { RequestRecord } from '@tallyport/management';
import { type Html, html, panel } from '@tallyport/pages';
import { excludedTable, scoreTable } from './score-table.ts';
import { orderText, type ScoredOffer } from './scored-offer.ts';
import { attemptResult, isFaultOfRequest } from './attempts-view.ts';

type PlannedOffer = NonNullable<RequestRecord['plan']>['offers'][number];
type RequestStory = Pick<RequestRecord, 'attempts' | 'plan' | 'model' | 'endReason' | 'firstByteMs'>;

/** Every offer of the model, tried or not, with its score as it was. */
export function offersPanels(request: RequestStory, link: Html | false): Html | false {
  const { plan } = request;
  if (plan === undefined) return false;
  const offers = plan.offers.flatMap((offer) => scoredThen(offer) ?? []);
  const text = html`${orderText(offers)} The scores are those of the time of the request. ${link}`;
  const happened = offers.map((offer, at) => happenedTo(offer, at, { ...request, plan, offers }));
  return html`<div class="routing">
    ${panel('Offers in their order', html`<div class="flush">${scoreTable({ offers, happened })}</div>`, text)}
    ${excludedTable(plan.offers.filter(({ score }) => score === undefined))}
    ${plan.more !== undefined && html`<p class="quiet small">The record has no more than these; ${plan.more} further offers were not tried.</p>`}
  </div>`;
}

/** How many offers of the plan could have been tried and were not. */
export const untriedCount = ({ attempts, plan }: Pick<RequestRecord, 'attempts' | 'plan'>): number =>
  (plan?.offers ?? []).filter(
    ({ score, provider }) => score !== undefined && attempts.every((attempt) => attempt.provider !== provider),
  ).length;

function scoredThen({ score, factors = {}, uptimePenalty = 0, priorityPenalty = 0, ...offer }: PlannedOffer) {
  return score === undefined ? undefined : { ...offer, score, factors, uptimePenalty, priorityPenalty };
}

type OfferOfModel = ScoredOffer & Pick<PlannedOffer, 'model'>;

interface Planned extends RequestStory {
  plan: NonNullable<RequestRecord['plan']>;
  offers: readonly OfferOfModel[];
}

/** The last attempt at an offer, or why there was none. */
function happenedTo(offer: OfferOfModel, at: number, request: Planned): Html {
  const attempt = request.attempts.findLast((each) => each.provider === offer.provider);
  if (attempt !== undefined) return attemptResult(attempt);
  return html`<span class="quiet">Not tried: ${whyUntried(offer, at, request)}</span>`;
}

function whyUntried(offer: OfferOfModel, at: number, request: Planned): string {
  const { attempts, endReason, firstByteMs, offers } = request;
  const tried = new Set(attempts.map((attempt) => attempt.provider));
  const lastTried = offers.findLastIndex((each) => tried.has(each.provider));
  const last = attempts.at(-1);
  if (at < lastTried) return whyPassed(offer, request);
  if (endReason === 'client_gone') return 'the client disconnected.';
  if (endReason === 'shutdown') return 'the gateway was stopped.';
  if (last !== undefined && isFaultOfRequest(last)) return 'it would refuse this request, too.';
  if (last?.error === 'none') return `${last.provider} answered.`;
  if (firstByteMs !== undefined) return 'a part of the answer had already been sent.';
  return whyPassed(offer, request);
}

/** Each model of a request may have as many attempts. */
function whyPassed(offer: OfferOfModel, { attempts, plan: { mostAttempts: most }, model }: Planned): string {
  const modelOf = (each: Pick<OfferOfModel, 'model'>): string => each.model ?? model;
  const ofModel = attempts.filter((attempt) => modelOf(attempt) === modelOf(offer));
  if (new Set(ofModel.map(({ provider }) => provider)).size < most) return 'its breaker let no request through.';
  return `at most ${most} ${most === 1 ? 'offer is' : 'offers are'} tried.`;
}
