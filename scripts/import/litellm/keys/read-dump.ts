import { extname } from 'node:path';
import { FileError } from '@tallyport/wire/yaml';
import { readCsv } from '../../../../services/ledger-svc/src/reconcile/read-csv.ts';
import { isObject } from '../../members.ts';
import { readSql } from './read-sql.ts';

export type Row = Readonly<Record<string, unknown>>;

/** The tables of LiteLLM's database that an import reads. */
export const tableNames = {
  keys: 'LiteLLM_VerificationToken',
  teams: 'LiteLLM_TeamTable',
  budgets: 'LiteLLM_BudgetTable',
} as const;

export type Table = keyof typeof tableNames;
export type Dump = Readonly<Record<Table, readonly Row[]>>;

/** Reads rows from a dump of the database, or from files with the rows of a table. */
export function readDump(file: string, text: string): Dump {
  if (extname(file) === '.json') return fromJson(file, text);
  if (extname(file) === '.csv') return ofRows(csvRows(text));
  return tablesOf(readSql(text, new Set<string>(Object.values(tableNames))));
}

function fromJson(file: string, text: string): Dump {
  const value = parse(file, text);
  if (Array.isArray(value)) return ofRows(value.filter(isObject));
  const lists = isObject(value) ? Object.entries(value) : [];
  const rows = lists.flatMap(([, list]) => (Array.isArray(list) ? list.filter(isObject) : []));
  if (rows.length === 0)
    throw new FileError([`${file}: it has no rows. Export ${tableNames.keys} and ${tableNames.teams}.`]);
  return ofRows(rows);
}

function parse(file: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // The message of the parser has a piece of the text, which may be a secret.
    throw new FileError([`${file}: it is not JSON.`]);
  }
}

function csvRows(text: string): Row[] {
  const [head = [], ...lines] = readCsv(text);
  return lines.map((cells) => Object.fromEntries(head.map((name, at) => [name, cells[at] === '' ? null : cells[at]])));
}

/** A row is recognised by its columns. */
const ofRows = (rows: readonly Row[]): Dump => ({
  keys: rows.filter((row) => 'token' in row),
  teams: rows.filter((row) => !('token' in row) && 'team_id' in row && 'team_alias' in row),
  budgets: rows.filter((row) => !('token' in row) && !('team_id' in row) && 'budget_id' in row && 'max_budget' in row),
});

const tablesOf = (tables: ReadonlyMap<string, Row[]>): Dump => ({
  keys: tables.get(tableNames.keys) ?? [],
  teams: tables.get(tableNames.teams) ?? [],
  budgets: tables.get(tableNames.budgets) ?? [],
});
