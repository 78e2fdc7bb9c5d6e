import type { RequestSummary } from '@tallyport/management';
import { badge, type Html, html, type Tone } from '@tallyport/pages';
import { words } from './words.ts';

type Ended = Pick<RequestSummary, 'status' | 'error' | 'endReason' | 'cached' | 'attemptCount'>;

/** The status of a request as a coloured badge, its error, and whether another provider or the cache helped. */
export const outcome = (request: Ended): Html =>
  html`<div>
    ${badge(statusText(request), toneOf(request))} ${request.cached && badge('cache')}
    ${isRescued(request) && badge('failed over', 'warn')}
    ${request.error !== undefined && html`<div class="small breaking">${words(request.error)}</div>`}
  </div>`;

/** Whether a provider failed and another attempt answered. */
const isRescued = ({ attemptCount, error }: Pick<Ended, 'attemptCount' | 'error'>): boolean =>
  attemptCount > 1 && error === undefined;

const statusText = ({ status, error, endReason }: Ended): string =>
  endReason === 'client_gone' ? 'client left' : String(status ?? (error === undefined ? 'done' : 'failed'));

/** Refusals and clients that left are no failures of the gateway. */
function toneOf({ status, error, endReason }: Ended): Tone {
  if (endReason === 'client_gone') return 'warn';
  if (error === undefined && (status === undefined || status < 400)) return 'good';
  return status !== undefined && status < 500 ? 'warn' : 'bad';
}
