import type { RequestRecord } from '@tallyport/management';
import { badge, type Html, html, table } from '@tallyport/pages';
import { duration, routeReasonText, words } from './words.ts';

type Attempt = RequestRecord['attempts'][number];

/** The attempts in their order, with the figures of the waterfall and the reason for each. */
export const attemptsTable = ({ attempts }: Pick<RequestRecord, 'attempts'>): Html =>
  table({
    caption: 'Attempts',
    columns: [
      'Provider',
      'Result',
      { title: 'Started after', kind: 'number' },
      { title: 'Took', kind: 'number' },
      'Key',
      'Lane',
      { title: 'Score', kind: 'number' },
      'Why here',
    ],
    rows: attempts.map((attempt, at) => [
      html`<span class="strong breaking">${at + 1}. ${attempt.provider}</span>`,
      result(attempt),
      attempt.startMs === undefined ? html`<span class="quiet">not recorded</span>` : duration(attempt.startMs),
      duration(attempt.durationMs),
      attempt.key === 'own' ? 'own' : 'gateway’s',
      attempt.lane === 'native' ? 'passed on' : 'translated',
      attempt.score === undefined ? html`<span class="quiet">none</span>` : attempt.score.toFixed(3),
      routeReasonText(attempt.reason),
    ]),
    empty: 'No provider was called.',
  });

export const hasFailed = ({ error }: Pick<Attempt, 'error'>): boolean => error !== 'none';

const result = (attempt: Attempt): Html =>
  html`<div>
    ${badge(String(attempt.status ?? 'no response'), hasFailed(attempt) ? 'bad' : 'good')}
    ${hasFailed(attempt) && html`<div class="small breaking">${words(attempt.error)}</div>`}
  </div>`;
