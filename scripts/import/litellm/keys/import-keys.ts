import { nameSchema } from '@tallyport/contracts';
import type { KeyEntry, ProjectEntry } from '../../document-parts.ts';
import type { Draft } from '../../draft.ts';
import type { LeftOvers, Path } from '../../left-over.ts';
import type { Reason } from '../../members.ts';
import { readSource } from '../../read-source.ts';
import { unusedName } from '../../secret-names.ts';
import { budgetOf, isShut, limitsOf } from './budget.ts';
import { allowedModels } from './allowed-models.ts';
import { reportColumns } from './columns.ts';
import { type Dump, readDump, type Row, tableNames } from './read-dump.ts';
import { flagIn, textIn } from './row-values.ts';

const mostDumpBytes = 50_000_000;

/** Reads the files and adds their keys and teams to the draft. */
export async function importKeys(files: readonly string[], draft: Draft): Promise<void> {
  if (files.length === 0) return;
  const dumps: Dump[] = [];
  for (const file of files) dumps.push(readDump(file, await readSource(file, mostDumpBytes)));
  const rows = (table: keyof Dump): Row[] => dumps.flatMap((dump) => dump[table]);
  addKeys({ keys: rows('keys'), teams: rows('teams'), budgets: rows('budgets') }, draft, Date.now());
}

/** Adds projects for teams, and their keys. `now` ends keys that have expired. */
export function addKeys({ keys, teams, budgets }: Dump, draft: Draft, now: number): void {
  const { left } = draft;
  const byBudget = new Map(budgets.map((row) => [textIn(row, 'budget_id'), row]));
  const withBudget = (row: Row): Row => ({ ...given(byBudget.get(textIn(row, 'budget_id'))), ...given(row) });
  const projects = new Map<string | undefined, Team>();
  for (const team of bounded(teams, 'teams', left)) {
    const id = textIn(team, 'team_id');
    const alias = cleanName(textIn(team, 'team_alias') ?? id ?? 'team');
    const path = [tableNames.teams, alias];
    const name = unusedName(draft.projects, alias, ' ');
    projects.set(id, { name, row: team });
    draft.projects.set(name, moneyOf(withBudget(team), path, left));
    reportColumns('teams', team, { path, left });
  }
  for (const row of bounded(keys, 'keys', left))
    addKey(withBudget(row), projects.get(textIn(row, 'team_id')), { draft, now });
  if (keys.length > 0) left.add([tableNames.keys], hashed, newTexts);
  if (keys.length > 0) left.add([tableNames.keys, 'spend'], 'What was spent before does not count.', '');
}

/** A gateway document has room for about as many. */
const mostRows = 5_000;

function bounded(rows: readonly Row[], table: keyof Dump, left: LeftOvers): readonly Row[] {
  if (rows.length > mostRows)
    left.add([tableNames[table]], `Only the first ${mostRows} rows are read.`, 'Divide the dump.');
  return rows.slice(0, mostRows);
}

const hashed =
  'LiteLLM stores keys as hashes, which cannot be turned back, and this gateway accepts only texts that it made.';
const newTexts =
  'npm run apply -- gateway.yaml --secrets-to created.yaml writes a new text for each key: give them to the applications.';

/** The columns that have a value. */
const given = (row: Row | undefined): Row =>
  Object.fromEntries(Object.entries(row ?? {}).filter(([, value]) => value != null && value !== ''));

const cleanName = (text: string): string => {
  const name = text
    .replaceAll(/[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]/gu, '')
    .slice(0, 90)
    .trim();
  return nameSchema.safeParse(name).success ? name : 'unnamed';
};

interface Team {
  /** Of its project. */
  name: string;
  row: Row;
}

interface Place {
  draft: Draft;
  now: number;
}

function addKey(row: Row, team: Team | undefined, { draft, now }: Place): void {
  const { keys, left } = draft;
  const alias = cleanName(textIn(row, 'key_alias') ?? textIn(row, 'key_name') ?? 'unnamed');
  const path = [tableNames.keys, alias];
  const end = endOf(row, now);
  const useless = uselessness(row, team, end);
  if (useless !== undefined) return left.add(path, ...useless);
  if (textIn(row, 'team_id') !== undefined && team === undefined) {
    left.add([...path, 'team_id'], 'The dump does not have its team.', `Export ${tableNames.teams} as well.`);
  }
  const models = allowedModels(row, team?.row, { path, draft });
  const entry: KeyEntry = {
    ...(team && { project: team.name }),
    ...(end && { expiresAt: end }),
    ...(models && { allowedModels: models }),
    ...moneyOf(row, path, left),
  };
  keys.set(unusedName(keys, alias, ' '), entry);
  reportColumns('keys', row, { path, left });
}

/** Why no application can use the key. */
function uselessness(row: Row, team: Team | undefined, end: string | undefined): Reason | undefined {
  const later = 'Create it when it is needed again.';
  if (end === 'past') return ['The key has expired.', ''];
  if (flagIn(row, 'blocked') || (team && flagIn(team.row, 'blocked')))
    return ['The key or its team is blocked.', later];
  return isShut(row) ? ['The key has a limit of 0, so it can do nothing.', later] : undefined;
}

function moneyOf(row: Row, path: Path, left: LeftOvers): ProjectEntry {
  const limits = limitsOf(row);
  const budget = budgetOf(row, path, left);
  return { ...(limits && { limits }), ...(budget && { budget }) };
}

/** Dumps have times without a zone, which are UTC. */
function endOf(row: Row, now: number): string | 'past' | undefined {
  const text = textIn(row, 'expires');
  if (text === undefined) return undefined;
  const hasZone = /(?:Z|[+-]\d\d(?::?\d\d)?)$/.test(text);
  const time = Date.parse(hasZone ? text.replace(/([+-]\d\d)$/, '$1:00') : `${text.replace(' ', 'T')}Z`);
  if (Number.isNaN(time)) return undefined;
  return time <= now ? 'past' : new Date(time).toISOString();
}
