import type { ApiKey, Budget } from '@switchyard/contracts';
import { type Html, html, type HtmlContent } from '../html.ts';
import { exampleParts } from './examples.ts';
import { actionsColumn, badge, copyable, day, heading, moment, table, type Tone } from './parts.ts';

export interface KeysPage {
  base: string;
  keys: readonly ApiKey[];
  /** Who sees only the keys they made themselves. */
  onlyOwn: boolean;
  now: Date;
}

export const keysPage = ({ base, keys, onlyOwn, now }: KeysPage): Html =>
  html`${heading({
    title: 'API Keys',
    text: `One key works for the REST API and for MCP. ${onlyOwn ? 'You see the keys you made.' : ''}`,
    action: { href: `${base}/keys/new`, text: 'Create a key' },
  })}
  ${table({
    caption: 'API keys',
    columns: ['Name', 'State', 'Limits', 'Last used', 'Expires', actionsColumn],
    rows: keys.map((key) => row(base, key, now)),
    empty: 'There is no key yet. Create one, and make the first request with it in a minute.',
  })}`;

function row(base: string, key: ApiKey, now: Date): HtmlContent[] {
  const href = `${base}/keys/${key.id}`;
  return [
    html`<a class="strong" href="${href}">${key.name}</a> ${key.admin && badge('admin', 'warn')}<br /><code
        >${key.prefix}…</code
      >`,
    keyState(key, now),
    limitsSummary(key),
    day(key.lastUsedAt),
    day(key.expiresAt),
    key.revokedAt === undefined &&
      html`<a href="${href}/rotate" aria-label="Rotate ${key.name}">Rotate</a>
        <a class="bad" href="${href}/revoke" aria-label="Revoke ${key.name}">Revoke</a>`,
  ];
}

export function keyState({ revokedAt, expiresAt, previousWorksUntil }: ApiKey, now: Date): Html {
  const [text, tone]: [string, Tone] =
    revokedAt !== undefined
      ? ['revoked', 'plain']
      : expiresAt !== undefined && Date.parse(expiresAt) <= now.getTime()
        ? ['expired', 'bad']
        : previousWorksUntil !== undefined && Date.parse(previousWorksUntil) > now.getTime()
          ? ['rotating', 'warn']
          : ['active', 'good'];
  return badge(text, tone);
}

const periods = { day: 'a day', week: 'a week', month: 'a month', total: 'altogether' } as const satisfies Record<
  Budget['period'],
  string
>;

export const budgetText = ({ amount, period }: Budget): string => `$${amount} ${periods[period]}`;

function limitsSummary({ budget, limits, allowedModels, allowedProviders, allowedAddresses }: ApiKey): HtmlContent {
  const parts = [
    budget && budgetText(budget),
    limits && 'own limits',
    allowedModels && counted(allowedModels, 'model'),
    allowedProviders && counted(allowedProviders, 'provider'),
    allowedAddresses && counted(allowedAddresses, 'address'),
  ].filter((part) => part !== undefined);
  return parts.length === 0 ? html`<span class="quiet">those of the account</span>` : parts.join(', ');
}

const counted = (list: readonly string[], noun: string): string =>
  list.length === 1 ? `1 ${noun}` : `${list.length} ${noun}${noun.endsWith('s') ? 'es' : 's'}`;

/** What is known of a key, above what can be changed of it. */
export const keyFacts = (key: ApiKey, now: Date): Html =>
  html`<dl class="facts panel padded">
    <dt>State</dt>
    <dd>${keyState(key, now)}</dd>
    <dt>Begins with</dt>
    <dd><code>${key.prefix}…</code></dd>
    <dt>Created</dt>
    <dd>${moment(key.createdAt)}</dd>
    <dt>Last used</dt>
    <dd>${key.lastUsedAt === undefined ? 'never' : moment(key.lastUsedAt)}</dd>
    ${
      key.previousWorksUntil !== undefined &&
      html`<dt>Text before</dt>
        <dd>works until ${moment(key.previousWorksUntil)} UTC</dd>`
    }
    ${
      key.revokedAt !== undefined &&
      html`<dt>Revoked</dt>
        <dd>${moment(key.revokedAt)}</dd>`
    }
  </dl>`;

export interface ShownKey {
  base: string;
  key: string;
  record: ApiKey;
  publicUrl: string;
}

/** The one page that has the text of a key. */
export const shownKeyPage = ({ base, key, record, publicUrl }: ShownKey): Html =>
  html`${heading({ title: record.name, back: { href: `${base}/keys`, text: 'API Keys' } })}
    <div class="panel padded">
      <p class="note warn">
        Copy the key now: it is stored as a hash only, so nobody can show it again. A click selects all of a box.
      </p>
      ${copyable('Your key', key, 'chief')}
      <h2>Try it</h2>
      ${exampleParts({ url: publicUrl, key })}
      <div class="form-actions"><a class="button" href="${base}/keys">I have copied it</a></div>
    </div>`;
