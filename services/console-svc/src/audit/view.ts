import type { AuditRecord } from '@tallyport/management';
import { heading, type Html, html, moment, pager, table } from '@tallyport/pages';
import { auditAddress, auditExportAddress, auditFilter, type AuditList, isFiltered } from './filter-form.ts';

interface AuditPage {
  base: string;
  /** The id of the account. */
  account: string;
  entries: readonly AuditRecord[];
  list: AuditList;
  nextCursor: string | undefined;
  /** The names of users, keys and other objects by id. */
  names: ReadonlyMap<string, string>;
}

export const auditPage = ({ base, account, entries, list, nextCursor, names }: AuditPage): Html =>
  html`${heading({
    title: 'Audit Log',
    text: 'All actions in this account and the sign-ins of its members, newest first. Entries cannot be changed.',
    action: { href: auditExportAddress(account, list), text: 'Download as CSV' },
  })}
  ${auditFilter(base, list)}
  ${table({
    caption: 'Audit log',
    columns: ['Time', 'Actor', 'Action', 'Object', 'Address', 'Details'],
    rows: entries.map(({ at, actor, action, subject, address, detail }) => [
      moment(at),
      actorName(actor, names),
      html`<b>${action.replaceAll(/[._]/g, ' ')}</b>`,
      named(subject, names),
      address === undefined ? '' : html`<span class="one-line">${address}</span>`,
      details(detail, names),
    ]),
    empty: isFiltered(list) ? 'No entry matches.' : 'There are no entries yet.',
  })}
  ${pager({
    first: list.cursor === undefined ? undefined : auditAddress(base, { ...list, cursor: undefined }),
    next: nextCursor === undefined ? undefined : auditAddress(base, { ...list, cursor: nextCursor }),
  })}`;

function actorName(actor: string, names: AuditPage['names']): Html {
  const name = named(actor.slice(actor.indexOf(':') + 1), names);
  return actor.startsWith('key:') ? html`<span>key ${name}</span>` : name;
}

const named = (id: string, names: AuditPage['names']): Html => {
  const name = names.get(id);
  return name === undefined
    ? html`<code class="one-line">${id}</code>`
    : html`<span class="one-line" title="${id}">${name}</span>`;
};

const details = (detail: unknown, names: AuditPage['names']): Html | '' =>
  typeof detail === 'object' && detail !== null && Object.keys(detail).length > 0
    ? html`<div>
        ${Object.entries(detail).map(
          ([name, value]) =>
            html`<div class="small breaking"><span class="quiet">${name}</span> ${written(value, names)}</div>`,
        )}
      </div>`
    : '';

/** Formats lists and nested objects on one line. Ids are replaced by names. */
function written(value: unknown, names: AuditPage['names']): string {
  if (typeof value === 'string') return names.get(value) ?? value;
  if (Array.isArray(value)) return value.map((each) => written(each, names)).join(', ');
  if (typeof value !== 'object' || value === null) return String(value ?? 'none');
  return Object.entries(value)
    .map(([name, inner]) => `${name} ${written(inner, names)}`)
    .join(', ');
}
