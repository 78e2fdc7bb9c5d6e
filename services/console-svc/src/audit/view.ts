import type { AuditRecord } from '@tallyport/management';
import {
  chooser,
  heading,
  type Html,
  html,
  type HtmlContent,
  moment,
  pager,
  searchForm,
  table,
} from '@tallyport/pages';

/** What entries are about. */
export const auditKinds = [
  { kind: 'session', text: 'Sign-ins' },
  { kind: 'key', text: 'API keys' },
  { kind: 'provider_key', text: 'Provider keys' },
  { kind: 'member', text: 'Members' },
  { kind: 'account', text: 'Account' },
] as const;

/** The part of the log that a page shows. */
interface AuditList {
  kind: (typeof auditKinds)[number]['kind'] | undefined;
  search: string | undefined;
  /** Where this page begins, unless it is the first. */
  cursor: string | undefined;
  nextCursor: string | undefined;
}

interface AuditPage {
  base: string;
  entries: readonly AuditRecord[];
  list: AuditList;
  /** The names of users and keys by id. */
  names: ReadonlyMap<string, string>;
}

export const auditPage = ({ base, entries, list, names }: AuditPage): Html =>
  html`${heading({
    title: 'Audit Log',
    text: 'All actions in this account and the sign-ins of its members, newest first. Entries cannot be changed.',
  })}
  ${auditFilter(base, list)}
  ${table({
    caption: 'Audit log',
    columns: ['Time', 'Actor', 'Action', 'Object', 'Address', 'Details'],
    rows: entries.map(({ at, actor, action, subject, address = '', detail }) => [
      moment(at),
      actorName(actor, names),
      html`<span class="strong">${action.replaceAll(/[._]/g, ' ')}</span>`,
      named(subject, names),
      address,
      details(detail),
    ]),
    empty: isFiltered(list) ? 'No entry matches.' : 'There are no entries yet.',
  })}
  ${pager({
    first: list.cursor === undefined ? undefined : addressOf(base, { ...list, cursor: undefined }),
    next: list.nextCursor === undefined ? undefined : addressOf(base, { ...list, cursor: list.nextCursor }),
  })}`;

const isFiltered = ({ kind, search }: AuditList): boolean => kind !== undefined || search !== undefined;

const auditFilter = (base: string, list: AuditList): Html =>
  html`<div class="choosers">
    ${searchForm({
      action: `${base}/audit`,
      label: 'Search the audit log',
      placeholder: 'E-mail, key, id or address',
      text: list.search,
      kept: list.kind === undefined ? {} : { kind: list.kind },
    })}
    ${chooser(
      'Kind',
      [{ kind: undefined, text: 'All' }, ...auditKinds].map(({ kind, text }) => ({
        text,
        chosen: kind === list.kind,
        href: addressOf(base, { ...list, kind, cursor: undefined }),
      })),
    )}
  </div>`;

function addressOf(base: string, { kind, search, cursor }: Omit<AuditList, 'nextCursor'>): string {
  const parameters = new URLSearchParams({
    ...(kind !== undefined && { kind }),
    ...(search !== undefined && { q: search }),
    ...(cursor !== undefined && { before: cursor }),
  });
  return parameters.size === 0 ? `${base}/audit` : `${base}/audit?${parameters.toString()}`;
}

function actorName(actor: string, names: AuditPage['names']): HtmlContent {
  const name = named(actorId(actor), names);
  return actor.startsWith('key:') ? ['key ', name] : name;
}

/** The id in `user:…`, `key:…` or `oauth:…`. */
export const actorId = (actor: string): string => actor.slice(actor.indexOf(':') + 1);

const named = (id: string, names: AuditPage['names']): HtmlContent => names.get(id) ?? html`<code>${id}</code>`;

const details = (detail: unknown): HtmlContent =>
  typeof detail === 'object' && detail !== null
    ? Object.entries(detail).map(
        ([name, value]) => html`<div class="small breaking"><span class="quiet">${name}</span> ${written(value)}</div>`,
      )
    : '';

/** Formats lists and nested objects on one line. */
function written(value: unknown): string {
  if (Array.isArray(value)) return value.map(written).join(', ');
  if (typeof value !== 'object' || value === null) return String(value ?? 'none');
  return Object.entries(value)
    .map(([name, inner]) => `${name} ${written(inner)}`)
    .join(', ');
}
