import { paidOperations } from '@tallyport/contracts';
import type { RequestRecord } from '@tallyport/management';
import {
  copyable,
  dollars,
  heading,
  type Html,
  html,
  type HtmlContent,
  panel,
  type PlaygroundKind,
  second,
  table,
} from '@tallyport/pages';
import { playgrounds } from '../playground/address.ts';
import { requestsAddress } from '../screen/request-links.ts';
import { tile } from '../screen/tile.ts';
import { fieldsOfRequest } from './asked-request.ts';
import { withNamedOffers } from './named-offers.ts';
import { attemptsTable } from './attempts-view.ts';
import { costsPanel } from './costs-view.ts';
import type { KeyText } from './key-text.ts';
import { offersPanels, untriedCount } from './offers-view.ts';
import { outcome } from './outcome.ts';
import { routeText } from './reasons.ts';
import { waterfall } from './waterfall.ts';
import { cacheText, duration, endReasonText, whole, words } from './words.ts';

interface RequestPage {
  base: string;
  request: RequestRecord;
  keyText: KeyText;
}

/** One request: how it ended, where it went and why, and what it cost. */
export function requestPage({ base, request: recorded, keyText }: RequestPage): Html {
  const request = withNamedOffers(recorded);
  return html`${heading({
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
}

const askedAgain = {
  chat: 'chat',
  image_generation: 'images',
  embeddings: 'embeddings',
  speech: 'speech',
} as const satisfies { readonly [operation in RequestRecord['operation']]?: PlaygroundKind };

/** A model that was not found, or an operation that the playground does not have, cannot be asked again there. */
function actionOf(base: string, { id, model, operation }: RequestRecord): { href: string; text: string } | undefined {
  const kind = Object.entries(askedAgain).find(([name]) => name === operation)?.[1];
  if (model === '' || kind === undefined) return undefined;
  return {
    href: `${base}${playgrounds[kind].path}?request=${encodeURIComponent(id)}`,
    text: 'Ask again in the playground',
  };
}

/** The figures that matter most. */
const figures = (request: RequestRecord): Html =>
  html`<dl class="totals">
    ${tile('Outcome', outcome(request), endReasonText(request.endReason))}
    ${tile('Duration', duration(request.durationMs), timesText(request))}
    ${tile('Cost', request.cost === null ? 'no price' : dollars(request.cost), payer(request))}
    ${tile('Attempts', whole(request.attemptCount), attemptsText(request))}
  </dl>`;

/** The duration begins when the request has been planned; the time line has both. */
function timesText({ firstByteMs, planMs = 0 }: RequestRecord): string | false {
  const parts = [
    firstByteMs !== undefined && `first content after ${duration(firstByteMs)}`,
    planMs > 0 && `after ${duration(planMs)} of planning`,
  ].filter((part) => part !== false);
  return parts.length > 0 && parts.join(', ');
}

function attemptsText(request: RequestRecord): string | false {
  if (request.provider !== undefined) return `answered by ${request.provider}`;
  const untried = untriedCount(request);
  return untried > 0 && `${whole(untried)} more ${untried === 1 ? 'offer was' : 'offers were'} not tried`;
}

const payer = ({ cached, ownKey }: RequestRecord): string | false =>
  cached ? 'from the cache' : ownKey && 'paid by the account to the provider';

const facts = ({ base, request, keyText }: RequestPage): Html =>
  html`<dl class="panel padded facts">
    ${fact('Key', html`<a href="${keyAddress(base, request)}">${keyText(request)}</a>`)}
    ${request.endUser !== undefined && fact('End user', html`<a href="${requestsAddress(base, { end_user: request.endUser })}">${request.endUser}</a>`)}
    ${request.requestedModel !== request.model && fact('Requested model', request.requestedModel || 'none')}
    ${request.route !== undefined && fact('Route', routeText(request.route))}
    ${request.attemptCount > 0 && fact('Provider key', request.ownKey ? 'the account’s own' : 'the gateway’s')}
    ${tierFact(request)} ${fact('Cache', cacheText(request.cache))}
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

/** The tier asked and the tier billed, which are one text where they are the same. */
function tierFact({ tierAsked, tier, provider }: RequestRecord): Html | false {
  if (provider === undefined || (tierAsked ?? tier) === undefined) return false;
  const billed = tier ?? 'default';
  if (tierAsked === billed) return fact('Service tier', billed);
  return fact('Service tier', `billed as ${billed}, asked for ${tierAsked ?? 'none'}`);
}

const fact = (name: string, value: HtmlContent): Html =>
  html`<dt>${name}</dt>
    <dd>${value}</dd>`;

/** Grants of applications and deleted keys have no page. */
const keyAddress = (base: string, { keyId, keyName }: RequestRecord): string =>
  keyName === undefined ? requestsAddress(base, { key: keyId }) : `${base}/keys/${keyId}`;

/** What happened, in time and as a table. */
function story(base: string, request: RequestRecord): Html {
  if (request.attempts.length === 0) return panel('Attempts', html`<p class="quiet">${noAttempts(request)}</p>`);
  const isExplained = fieldsOfRequest(request) !== undefined;
  const now = isExplained && html`<a href="${base}/routing?request=${request.id}">Score its offers as they are now</a>`;
  return html`${panel('What happened', waterfall(request))} ${offersPanels(request, now)}
  ${panel('Attempts', html`<div class="flush">${attemptsTable(request)}</div>`, request.plan === undefined && html`Lower scores are better. ${now}`)}`;
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
