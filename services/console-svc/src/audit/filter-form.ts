import { chooser, hidden, type Html, html, viewed } from '@tallyport/pages';
import { fieldTime } from '../screen/instant-in.ts';
import { queryOf } from '../screen/query-of.ts';

/** What entries are about. */
export const auditKinds = [
  { kind: 'session', text: 'Sign-ins' },
  { kind: 'key', text: 'API keys' },
  { kind: 'provider_key', text: 'Provider keys' },
  { kind: 'member', text: 'Members' },
  { kind: 'account', text: 'Account' },
] as const;

/** The part of the log that a page shows. */
export interface AuditList {
  kind: (typeof auditKinds)[number]['kind'] | undefined;
  search: string | undefined;
  /** A time; the entries from then on. */
  from: string | undefined;
  /** Exclusive. */
  to: string | undefined;
  /** Where this page begins, unless it is the first. */
  cursor: string | undefined;
}

export const isFiltered = ({ kind, search, from, to }: AuditList): boolean =>
  [kind, search, from, to].some((value) => value !== undefined);

export const auditFilter = (base: string, list: AuditList): Html =>
  html`<form class="filters" role="search" method="get" action="${base}/audit">
      <input
        type="search"
        name="q"
        aria-label="Search the audit log"
        placeholder="E-mail, name, id or address"
        value="${list.search ?? ''}"
        maxlength="100"
      />
      ${timeField('From', 'from', list.from)} ${timeField('To', 'to', list.to)}
      ${viewed(({ timeZone }) => hidden('zone', timeZone))} ${list.kind !== undefined && hidden('kind', list.kind)}
      <button class="plain">Search</button>
    </form>
    <div class="choosers">
      ${chooser(
        'Kind',
        [{ kind: undefined, text: 'All' }, ...auditKinds].map(({ kind, text }) => ({
          text,
          chosen: kind === list.kind,
          href: auditAddress(base, { ...list, kind, cursor: undefined }),
        })),
      )}
    </div>`;

/** Browsers show only times without a zone in such a field. */
const timeField = (label: string, name: string, iso: string | undefined): Html =>
  html`<label class="beside-field"
    >${label}
    <input
      type="datetime-local"
      name="${name}"
      value="${iso !== undefined && viewed((viewer) => fieldTime(viewer, iso))}"
  /></label>`;

export function auditAddress(base: string, { search, cursor, ...list }: AuditList): string {
  const parameters = queryOf({ ...list, q: search, before: cursor });
  return parameters.size === 0 ? `${base}/audit` : `${base}/audit?${parameters.toString()}`;
}

/** The address of the same entries as CSV. */
export const auditExportAddress = (account: string, { cursor: _cursor, ...list }: AuditList): string =>
  `/api/v1/audit/export?${queryOf({ ...list, account }).toString()}`;
