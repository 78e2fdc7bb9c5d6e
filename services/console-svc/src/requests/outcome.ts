import {
  requestOutcomeNames,
  requestOutcomes,
  type RequestOutcomeName,
  type RequestSummary,
} from '@tallyport/management';
import { badge, type Html, html, type Tone } from '@tallyport/pages';
import { words } from './words.ts';

type Ended = Pick<RequestSummary, 'status' | 'error' | 'outcomes'>;

/** The status of a request as a badge, its error, and whether another provider or the cache helped. */
export const outcome = (request: Ended): Html =>
  html`<div class="outcome" ${request.error !== undefined && html`title="${words(request.error)}"`}>
    ${badge(statusText(request), toneOf(request))} ${shownBeside(request).map(outcomeBadge)}
    ${request.error !== undefined && html`<span class="small breaking">${words(request.error)}</span>`}
  </div>`;

/** A request ends in exactly one of these. */
const ends = ['ok', 'failed', 'refused', 'client_left'] as const;

const endOf = ({ outcomes = [] }: Ended): (typeof ends)[number] | undefined =>
  ends.find((name) => outcomes.includes(name));

/**
 * The status says how a request ended, and that an answer after a failover is a rescue. A failover that no provider
 * answered is a failure only.
 */
const shownBeside = (request: Ended): RequestOutcomeName[] => {
  const hidden = new Set<RequestOutcomeName>([...ends, 'rescued']);
  if (endOf(request) === 'failed') hidden.add('failed_over');
  return requestOutcomeNames.filter((name) => request.outcomes?.includes(name) && !hidden.has(name));
};

const outcomeBadge = (name: RequestOutcomeName): Html => badge(requestOutcomes[name].word, requestOutcomes[name].tone);

function statusText(request: Ended): string {
  const end = endOf(request);
  if (end === 'client_left') return requestOutcomes.client_left.word;
  return String(request.status ?? (end === undefined ? 'ended' : requestOutcomes[end].word));
}

/** Records of an older version have no outcomes. */
function toneOf(request: Ended): Tone {
  const end = endOf(request);
  return end === undefined ? 'plain' : requestOutcomes[end].tone;
}
