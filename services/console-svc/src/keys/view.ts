import type { ApiKey } from '@tallyport/contracts';
import {
  actionsColumn,
  badge,
  chooser,
  copyable,
  day,
  heading,
  type Html,
  html,
  type HtmlContent,
  moment,
  pager,
  searchForm,
  table,
  type Tone,
} from '@tallyport/pages';
import { budgetText } from '../screen/budget-text.ts';
import { costCells, costColumns, type GroupCosts } from '../usage/group-costs.ts';
import { exampleParts } from './examples.ts';

/** The part of the keys that a page shows. */
interface KeyList {
  search: string | undefined;
  state: 'working' | 'revoked';
  /** Only keys of this project, or with `none` of no project. */
  project: string | undefined;
  /** The keys of the highest cost of the month first, and no others; the newest first without it. */
  sort: 'cost' | undefined;
  /** Where this page begins, unless it is the first. */
  cursor: string | undefined;
  nextCursor: string | undefined;
}

interface KeysPage {
  base: string;
  keys: readonly ApiKey[];
  /** `undefined` if they cannot be read. */
  costs: GroupCosts | undefined;
  projects: readonly { id: string; name: string }[];
  list: KeyList;
  /** Whether the user only sees keys they created. */
  onlyOwn: boolean;
  now: Date;
}

export const keysPage = ({ base, keys, costs, projects, list, onlyOwn, now }: KeysPage): Html =>
  html`${heading({
    title: 'API Keys',
    text: `A key works for the REST API and for MCP. ${onlyOwn ? 'Only keys you created are shown.' : ''}`,
    action: { href: `${base}/keys/new`, text: 'Create a key' },
  })}
  ${keyFilter(base, list)} ${projectFilter(base, list, projects)}
  ${table({
    caption: 'API keys',
    columns: ['Name', 'State', ...costColumnsOf(base, list), 'Limits', 'Last used', 'Expires', actionsColumn],
    rows: keys.map((key) => row({ base, now, costs }, key)),
    empty: emptyText(list),
  })}
  ${
    list.sort === 'cost' &&
    html`<p class="quiet small">
      These had the highest cost of this month by UTC, at most a hundred. Keys without any are not listed.
      <a href="${addressOf(base, { ...list, sort: undefined })}">Show all keys, newest first</a>
    </p>`
  }
  ${pager({
    first: list.cursor === undefined ? undefined : addressOf(base, { ...list, cursor: undefined }),
    next: list.nextCursor === undefined ? undefined : addressOf(base, { ...list, cursor: list.nextCursor }),
  })}`;

function costColumnsOf(base: string, list: KeyList) {
  const [month, today] = costColumns;
  const order = {
    href: addressOf(base, { ...list, sort: list.sort === 'cost' ? undefined : 'cost', cursor: undefined }),
    isCurrent: list.sort === 'cost',
  };
  return [{ ...month, order }, today];
}

const keyFilter = (base: string, list: KeyList): Html =>
  html`<div class="choosers">
    ${searchForm({
      action: `${base}/keys`,
      label: 'Search keys',
      placeholder: 'Name or beginning of the key',
      text: list.search,
      kept: {
        ...(list.state === 'revoked' && { state: 'revoked' }),
        ...(list.project !== undefined && { project: list.project }),
        ...(list.sort !== undefined && { sort: list.sort }),
      },
    })}
    ${chooser(
      'State',
      (['working', 'revoked'] as const).map((state) => ({
        text: state === 'working' ? 'Working' : 'Revoked',
        chosen: state === list.state,
        href: addressOf(base, { ...list, state, cursor: undefined }),
      })),
    )}
  </div>`;

/** Many projects are reached from their own page. */
const mostOffered = 8;

function projectFilter(base: string, list: KeyList, projects: KeysPage['projects']): Html | false {
  const offered = projects.filter(({ id }, at) => at < mostOffered || id === list.project);
  if (offered.length === 0) return false;
  const choices = [{ id: undefined, name: 'All' }, ...offered, { id: 'none', name: 'None' }];
  return html`<div class="choosers">
    ${chooser(
      'Project',
      choices.map(({ id, name }) => ({
        text: name,
        chosen: id === list.project,
        href: addressOf(base, { ...list, project: id, cursor: undefined }),
      })),
    )}
  </div>`;
}

function addressOf(base: string, { search, state, project, sort, cursor }: Omit<KeyList, 'nextCursor'>): string {
  const parameters = new URLSearchParams({
    ...(search !== undefined && { q: search }),
    ...(state === 'revoked' && { state }),
    ...(project !== undefined && { project }),
    ...(sort !== undefined && { sort }),
    ...(cursor !== undefined && { before: cursor }),
  });
  return parameters.size === 0 ? `${base}/keys` : `${base}/keys?${parameters.toString()}`;
}

function emptyText({ search, state, sort }: KeyList): string {
  if (sort === 'cost') return 'No key of this list had any cost this month.';
  if (search !== undefined) return `No ${state} key is named “${search}” or begins with it.`;
  if (state === 'revoked') return 'No key was revoked.';
  return 'There are no keys yet. Create one to send your first request.';
}

function row({ base, now, costs }: Pick<KeysPage, 'base' | 'now' | 'costs'>, key: ApiKey): HtmlContent[] {
  const href = `${base}/keys/${key.id}`;
  return [
    html`<a class="strong" href="${href}">${key.name}</a> ${key.admin && badge('admin', 'warn')}<br /><code
        class="one-line"
        >${key.prefix}…</code
      >`,
    keyState(key, now),
    ...costCells({ base, by: 'key', id: key.id }, costs),
    limitsSummary(key),
    day(key.lastUsedAt),
    day(key.expiresAt),
    key.revokedAt === undefined &&
      html`<a href="${href}/rotate" aria-label="Rotate ${key.name}">Rotate</a>
        <a class="bad" href="${href}/revoke" aria-label="Revoke ${key.name}">Revoke</a>`,
  ];
}

function keyState({ revokedAt, expiresAt, previousWorksUntil }: ApiKey, now: Date): Html {
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

function limitsSummary({
  budget,
  endUserBudget,
  limits,
  allowedModels,
  allowedProviders,
  allowedTiers,
  allowedAddresses,
}: ApiKey): HtmlContent {
  const parts = [
    budget && budgetText(budget),
    endUserBudget && `${budgetText(endUserBudget)} for each end user`,
    limits && 'own limits',
    allowedModels && counted(allowedModels, 'model'),
    allowedProviders && counted(allowedProviders, 'provider'),
    allowedTiers && counted(allowedTiers, 'tier'),
    allowedAddresses && counted(allowedAddresses, 'address'),
  ].filter((part) => part !== undefined);
  return parts.length === 0 ? html`<span class="quiet">account defaults</span>` : parts.join(', ');
}

const counted = (list: readonly string[], noun: string): string =>
  list.length === 1 ? `1 ${noun}` : `${list.length} ${noun}${noun.endsWith('s') ? 'es' : 's'}`;

/** The facts about a key, shown above its settings. */
export const keyFacts = (key: ApiKey, now: Date): Html =>
  html`<dl class="facts panel padded">
    <dt>State</dt>
    <dd>${keyState(key, now)}</dd>
    <dt>Starts with</dt>
    <dd><code>${key.prefix}…</code></dd>
    <dt>Created</dt>
    <dd>${moment(key.createdAt)}</dd>
    <dt>Last used</dt>
    <dd>${key.lastUsedAt === undefined ? 'never' : moment(key.lastUsedAt)}</dd>
    ${
      key.previousWorksUntil !== undefined &&
      html`<dt>Previous key</dt>
        <dd>works until ${moment(key.previousWorksUntil)}</dd>`
    }
    ${
      key.revokedAt !== undefined &&
      html`<dt>Revoked</dt>
        <dd>${moment(key.revokedAt)}</dd>`
    }
  </dl>`;

interface ShownKey {
  base: string;
  key: string;
  record: ApiKey;
  publicUrl: string;
  /** A model that the key can call now. */
  model: string | undefined;
}

/** The only page that shows a key. */
export const shownKeyPage = ({ base, key, record, publicUrl, model }: ShownKey): Html =>
  html`${heading({ title: record.name, back: { href: `${base}/keys`, text: 'API Keys' } })}
    <div class="panel padded">
      <p class="note warn">
        Copy the key now. Only its hash is stored, so it cannot be shown again. Click a box to select its text.
      </p>
      ${copyable('Your key', key, 'chief')}
      <h2>Try it</h2>
      <p class="note">
        ${model === undefined ? 'This key can call no model yet: add a provider key first. ' : ''}
        <code>GET ${publicUrl}/v1/models</code> lists the models this key can call.
      </p>
      ${exampleParts({ url: publicUrl, key, model })}
      <div class="form-actions"><a class="button" href="${base}/keys">I have copied it</a></div>
    </div>`;
