import type { Database } from '@tallyport/database';
import type { BudgetProgress } from '@tallyport/management';
import { type BudgetSelection, readBudgets } from './read-budgets.ts';

interface BudgetPageQuery extends Pick<BudgetSelection, 'accountId' | 'userId' | 'search' | 'spentPercent' | 'limit'> {
  /** The nextCursor of the page before. */
  cursor?: string | undefined;
}

interface BudgetPage {
  budgets: BudgetProgress[];
  nextCursor?: string;
}

const scopes = ['project', 'key'] as const;

/** Lists a page of the budgets of projects, then of keys, in the order in which they were created. */
export async function listBudgets(
  database: Database,
  { cursor, limit, ...selection }: BudgetPageQuery,
  now: Date,
): Promise<BudgetPage> {
  const last = cursor === undefined ? undefined : lastIn(cursor);
  const found: BudgetProgress[] = [];
  for (const scope of last?.scope === 'key' ? (['key'] as const) : scopes) {
    const after = scope === last?.scope ? last.id : undefined;
    const room = limit + 1 - found.length;
    if (room > 0) found.push(...(await readBudgets(database, { ...selection, scope, after, limit: room }, now)));
  }
  const budgets = found.slice(0, limit);
  const next = budgets.at(-1);
  return { budgets, ...(found.length > limit && next && { nextCursor: `${next.scope}:${next.id}` }) };
}

interface LastBudget {
  scope: (typeof scopes)[number];
  id: string;
}

/** A cursor names the scope, because projects and keys are different tables. */
function lastIn(cursor: string): LastBudget {
  const scope = cursor.startsWith('project:') ? 'project' : 'key';
  return { scope, id: cursor.slice(scope.length + 1) };
}
