import { chooser, hidden, type Html, html } from '@tallyport/pages';
import type { Period } from '../screen/period.ts';
import { periodPicker } from '../screen/period-picker.ts';
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
  /** `undefined` for all times. */
  period: Period | undefined;
  /** Where this page begins, unless it is the first. */
  cursor: string | undefined;
}

/** As the management API takes it. */
export const auditInput = ({ period, ...list }: AuditList) => ({ ...list, from: period?.from, to: period?.to });

export const isFiltered = ({ kind, search, period }: AuditList): boolean =>
  [kind, search, period].some((value) => value !== undefined);

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
      ${Object.entries(parametersOf({ ...list, search: undefined })).map(([name, value]) => hidden(name, value))}
      <button class="plain">Search</button>
    </form>
    <div class="choosers">
      ${periodPicker({
        action: `${base}/audit`,
        period: list.period,
        kept: parametersOf(list),
        all: 'All time',
      })}
      ${chooser(
        'Kind',
        [{ kind: undefined, text: 'All' }, ...auditKinds].map(({ kind, text }) => ({
          text,
          chosen: kind === list.kind,
          href: auditAddress(base, { ...list, kind, cursor: undefined }),
        })),
      )}
    </div>`;

/** The parameters of the first page. */
const parametersOf = ({ period, kind, search }: AuditList): Record<string, string> =>
  Object.fromEntries(queryOf({ ...period?.query, kind, q: search }));

export function auditAddress(base: string, list: AuditList): string {
  const parameters = queryOf({ ...parametersOf(list), before: list.cursor });
  return parameters.size === 0 ? `${base}/audit` : `${base}/audit?${parameters.toString()}`;
}

/** The address of the same entries as CSV. */
export const auditExportAddress = (account: string, list: AuditList): string =>
  `/api/v1/audit/export?${queryOf({ ...auditInput({ ...list, cursor: undefined }), account }).toString()}`;
