import type { Database } from '@tallyport/database';
import type { AuditFilter, AuditRecord } from '@tallyport/management';
import { csvLine } from '@tallyport/management-server';
import { readAudit } from './read-audit.ts';

const columns = ['at', 'actor', 'actor_name', 'action', 'subject', 'subject_name', 'address', 'detail'] as const;
const entriesAtOnce = 200;

/** Exports actions as CSV, newest first, in pieces; only one piece is in memory at a time. */
export async function* exportAudit(database: Database, accountId: string, filter: AuditFilter): AsyncGenerator<string> {
  yield csvLine(columns);
  let cursor: string | undefined;
  do {
    const page = await readAudit(database, accountId, { ...filter, limit: entriesAtOnce, cursor });
    yield page.entries.map((entry) => csvLine(cellsOf(entry, page.names))).join('');
    cursor = page.nextCursor;
  } while (cursor !== undefined);
}

function cellsOf(entry: AuditRecord, names: Readonly<Record<string, string>>): string[] {
  const { at, actor, action, subject, address = '', detail } = entry;
  const actorName = names[actor.slice(actor.indexOf(':') + 1)] ?? '';
  const details = detail === undefined ? '' : JSON.stringify(detail);
  return [at, actor, actorName, action, subject, names[subject] ?? '', address, details];
}
