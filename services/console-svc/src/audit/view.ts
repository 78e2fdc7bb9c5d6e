import type { AuditRecord } from '@switchyard/management';
import { heading, type Html, html, type HtmlContent, moment, pager, table } from '@switchyard/pages';

export interface AuditPage {
  base: string;
  entries: readonly AuditRecord[];
  /** Whether the page begins with the newest entry. */
  isFirst: boolean;
  nextCursor: string | undefined;
  /** The names of users and keys by id. */
  names: ReadonlyMap<string, string>;
}

export const auditPage = ({ base, entries, isFirst, nextCursor, names }: AuditPage): Html =>
  html`${heading({ title: 'Audit Log', text: 'All actions in this account, newest first. Entries cannot be changed.' })}
  ${table({
    caption: 'Audit log',
    columns: ['Time', 'Actor', 'Action', 'Object', 'Details'],
    rows: entries.map(({ at, actor, action, subject, detail }) => [
      moment(at),
      actorName(actor, names),
      html`<span class="strong">${action.replaceAll(/[._]/g, ' ')}</span>`,
      named(subject, names),
      details(detail),
    ]),
    empty: 'There are no entries yet.',
  })}
  ${pager({
    first: isFirst ? undefined : `${base}/audit`,
    next: nextCursor === undefined ? undefined : `${base}/audit?before=${nextCursor}`,
  })}`;

/** `user:…`, `key:…`, `oauth:…` or `operator`. */
function actorName(actor: string, names: AuditPage['names']): HtmlContent {
  const id = actor.slice(actor.indexOf(':') + 1);
  return actor.startsWith('key:') ? ['key ', named(id, names)] : named(id, names);
}

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
