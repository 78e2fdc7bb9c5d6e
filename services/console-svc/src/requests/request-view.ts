import { paidOperations } from '@tallyport/contracts';
import type { RequestRecord } from '@tallyport/management';
import { copyable, dollars, heading, type Html, html, type HtmlContent, panel, second, table } from '@tallyport/pages';
import { playgroundAddress } from '../playground/address.ts';
import { fieldsOfRequest } from './asked-request.ts';
import { attemptsTable } from './attempts-view.ts';
import { costsPanel } from './costs-view.ts';
import type { KeyText } from './key-text.ts';
import { outcome } from './outcome.ts';
import { waterfall } from './waterfall.ts';
import { cacheText, duration, endReasonText, whole, words } from './words.ts';

interface RequestPage {
  base: string;
  request: RequestRecord;
  keyText: KeyText;
}

/** One request: how it ended, where it went and why, and what it cost. */
export const requestPage = ({ base, request, keyText }: RequestPage): Html =>
  html`${heading({
      title: request.model || request.requestedModel || 'Request',
      text: [
        `${paidOperations[request.operation].title}${request.stream ? ', streamed' : ''}, ended `,
        second(request.at),
      ],
      back: { href: `${base}/requests`, text: 'Requests' },
      action: actionOf(base, request),
    })}
    ${figures(request)} ${facts({ base, request, keyText })} ${story(base, request)} ${costsPanel(request)}
    ${guardrailsTable(request)}
    <section class="panel padded ids">
      ${copyable('Request id', request.requestId)} ${copyable('Record', request.id)}
    </section>`;

/** A model that was not found, or an operation that the playground does not have, cannot be asked again there. */
function actionOf(base: string, { model, operation }: RequestRecord): { href: string; text: string } | undefined {
  if (model === '' || (operation !== 'chat' && operation !== 'image_generation')) return undefined;
  const kind = operation === 'chat' ? 'chat' : 'images';
  return { href: playgroundAddress(base, kind, [model]), text: 'Ask again in the playground' };
}

/** The figures that matter most. */
const figures = (request: RequestRecord): Html =>
  html`<dl class="totals">
    ${figure('Outcome', outcome(request), endReasonText(request.endReason))}
    ${figure('Duration', duration(request.durationMs), request.firstByteMs !== undefined && `first content after ${duration(request.firstByteMs)}`)}
    ${figure('Cost', request.cost === null ? 'no price' : dollars(request.cost), payer(request))}
    ${figure('Attempts', whole(request.attemptCount), request.provider !== undefined && `answered by ${request.provider}`)}
  </dl>`;

const payer = ({ cached, ownKey }: RequestRecord): string | false =>
  cached ? 'from the cache' : ownKey && 'paid by the account to the provider';

const figure = (name: string, value: HtmlContent, more: HtmlContent): Html =>
  html`<div class="panel">
    <dt>${name}</dt>
    <dd>${value}</dd>
    ${more !== false && html`<dd class="quiet small">${more}</dd>`}
  </div>`;

const facts = ({ base, request, keyText }: RequestPage): Html =>
  html`<dl class="panel padded facts">
    ${fact('Key', html`<a href="${keyAddress(base, request)}">${keyText(request)}</a>`)}
    ${request.requestedModel !== request.model && fact('Requested model', request.requestedModel || 'none')}
    ${request.attemptCount > 0 && fact('Provider key', request.ownKey ? 'the account’s own' : 'the gateway’s')}
    ${fact('Cache', cacheText(request.cache))}
    ${
      request.tokenLimit &&
      fact(
        'Token limit',
        `${whole(request.tokenLimit.left)} of ${whole(request.tokenLimit.perMinute)} per minute were left`,
      )
    }
    ${
      request.unrecorded !== undefined &&
      fact('Not recorded before it', `${whole(request.unrecorded)} more refusals of the account`)
    }
  </dl>`;

const fact = (name: string, value: HtmlContent): Html =>
  html`<dt>${name}</dt>
    <dd>${value}</dd>`;

/** Grants of applications and deleted keys have no page. */
const keyAddress = (base: string, { keyId, keyName }: RequestRecord): string =>
  keyName === undefined ? `${base}/requests?key=${encodeURIComponent(keyId)}` : `${base}/keys/${keyId}`;

/** What happened, in time and as a table. */
function story(base: string, request: RequestRecord): Html {
  if (request.attempts.length === 0) return panel('Attempts', html`<p class="quiet">${noAttempts(request)}</p>`);
  const isExplained = fieldsOfRequest(request) !== undefined;
  const route = html`<a href="${base}/routing?request=${request.id}">Score its offers as they are now</a>`;
  return html`${panel('What happened', waterfall(request))}
  ${panel('Attempts and why', html`<div class="flush">${attemptsTable(request)}</div>`, isExplained && route)}`;
}

const noAttempts = ({ cached, endReason }: RequestRecord): string =>
  cached
    ? 'No provider was called: the answer came from the cache.'
    : endReason === 'refused'
      ? 'No provider was called: the request was refused before.'
      : 'No provider was called.';

const guardrailsTable = ({ guardrails }: RequestRecord): Html | false =>
  guardrails.length > 0 &&
  table({
    caption: 'Guardrails',
    columns: ['Guardrail', 'Action', { title: 'Found', kind: 'number' }],
    rows: guardrails.map(({ rule, action, count }) => [
      html`<span class="strong">${rule}</span>`,
      words(action),
      whole(count),
    ]),
    empty: '',
  });
