import type { RequestRecord } from '@tallyport/management';
import { badge, type Html, html, table } from '@tallyport/pages';
import { placeReason } from './reasons.ts';
import { duration, words } from './words.ts';

type Attempt = RequestRecord['attempts'][number];

/** The attempts in their order. Records without a plan have the score and the reason of each attempt here. */
export function attemptsTable({ attempts, plan }: Pick<RequestRecord, 'attempts' | 'plan'>): Html {
  const hasFailures = attempts.some(hasFailed);
  return table({
    caption: 'Attempts',
    columns: [
      'Provider',
      'Result',
      ...(hasFailures ? ['Message of the provider'] : []),
      { title: 'Started after', kind: 'number' },
      { title: 'Took', kind: 'number' },
      'Key',
      'Request sent',
      ...(plan ? [] : [{ title: 'Score', kind: 'number' } as const, 'Why here']),
    ],
    rows: attempts.map((attempt, at) => [
      html`<span class="strong breaking">${at + 1}. ${attempt.provider}</span>`,
      attemptResult(attempt),
      ...(hasFailures ? [hasFailed(attempt) ? messageOf(attempt) : none] : []),
      attempt.startMs === undefined ? html`<span class="quiet">not recorded</span>` : duration(attempt.startMs),
      duration(attempt.durationMs),
      attempt.key === 'own' ? 'own' : 'gateway’s',
      sentAs(attempt),
      ...(plan ? [] : [attempt.score?.toFixed(3) ?? none, placeReason(attempt.reason, at)]),
    ]),
    empty: 'No provider was called.',
  });
}

/** How it was sent, with what the vendor did not get as the client asked for it. */
const sentAs = ({ lane, weakened = [] }: Attempt): Html =>
  html`<div>
    ${lane === 'native' ? 'as it was' : 'translated'}
    ${weakened.map((each) => html`<div class="small breaking">${each}</div>`)}
  </div>`;

const none = html`<span class="quiet">none</span>`;

export const hasFailed = ({ error }: Pick<Attempt, 'error'>): boolean => error !== 'none';

/** Whether the request itself made the attempt fail, so that another offer would have refused it, too. */
export const isFaultOfRequest = ({ error }: Pick<Attempt, 'error'>): boolean =>
  error.startsWith('caller_') || error.startsWith('policy_');

export const attemptResult = (attempt: Attempt): Html =>
  html`<div>
    ${badge(String(attempt.status ?? 'no response'), hasFailed(attempt) ? 'bad' : 'good')}
    ${hasFailed(attempt) && html`<div class="small breaking">${words(attempt.error)}</div>`}
  </div>`;

function messageOf(attempt: Attempt): Html {
  if (attempt.message !== undefined) return html`<span class="small breaking">${attempt.message}</span>`;
  const text = isFaultOfRequest(attempt)
    ? 'Not kept, because it may quote the request. The client has it.'
    : 'not recorded';
  return html`<span class="quiet small">${text}</span>`;
}
