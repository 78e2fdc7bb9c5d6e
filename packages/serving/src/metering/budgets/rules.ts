import { type BudgetQuery, type Budget, budgetPeriod, hourOf, type Principal } from '@tallyport/contracts';
import type { RuleScope } from '@tallyport/limits';
import { nanodollars, readMoney } from '@tallyport/pricing';
import type { CountedEndUser } from './counted-end-user.ts';

/** A budget that applies to a request, in its current period. */
export interface BudgetRule {
  scope: RuleScope;
  id: string;
  /** Set if the key or the project gives the budget to each end user: only requests of this one count. */
  endUser?: CountedEndUser;
  budget: Budget;
  /** Billionths of a dollar. */
  limit: number;
  from: Date | undefined;
  until: Date | undefined;
  /** The name of its purse, which differs for every period. */
  name: string;
}

/** Budgets nest: a request reserves in that of its key, of its project and of its account, in this order. */
export function budgetRules({ accountId, projectId, keyId, budgets }: Principal, now: Date): BudgetRule[] {
  if (budgets === undefined) return [];
  return [
    ...ruleOf({ scope: 'key', id: keyId, budget: budgets.key, now }),
    ...(projectId === undefined ? [] : ruleOf({ scope: 'project', id: projectId, budget: budgets.project, now })),
    ...ruleOf({ scope: 'account', id: accountId, budget: budgets.account, now }),
  ];
}

/** What the key and the project allow this end user. */
export function endUserRules(
  { projectId, keyId, endUserBudgets = {} }: Principal,
  endUser: CountedEndUser,
  now: Date,
): BudgetRule[] {
  const { key, project } = endUserBudgets;
  return [
    ...ruleOf({ scope: 'key', id: keyId, endUser, budget: key, now }),
    ...(projectId === undefined ? [] : ruleOf({ scope: 'project', id: projectId, endUser, budget: project, now })),
  ];
}

interface BudgetHolder {
  scope: RuleScope;
  id: string;
  endUser?: CountedEndUser;
  budget: Budget | undefined;
  now: Date;
}

function ruleOf({ scope, id, endUser, budget, now }: BudgetHolder): BudgetRule[] {
  if (budget === undefined) return [];
  const { from, until } = budgetPeriod(budget.period, now);
  const limit = Math.min(nanodollars(readMoney(budget.amount) ?? 0n), Number.MAX_SAFE_INTEGER);
  const holder = endUser === undefined ? id : `${id}:${endUser.id}`;
  const name = `budget:${scope}:${holder}:${budget.period}:${from?.toISOString() ?? 'ever'}`;
  return [{ scope, id, ...(endUser && { endUser }), budget, limit, from, until, name }];
}

const hourMs = 3_600_000;
/**
 * Records may reach the ledger this long after their hour has ended: while the journal or the ledger is away, they wait
 * there or in files, which no service can see completely. Until then, the larger figure counts for each hour. Longer than
 * a weekend; the ledger keeps hourly sums for a week.
 */
const lateMs = 3 * 86_400_000;

/** Hours since 1970, the unit of purses. */
export const hourNumber = (date: Date): number => Math.floor(date.getTime() / hourMs);

/** The query for the ledger: one sum up to the first hour of which records may still wait, then hour by hour. */
export const spendingQuery = ({ scope, id, endUser, from }: BudgetRule, now: Date): BudgetQuery => {
  const open = new Date(now.getTime() - lateMs);
  return {
    scope,
    id,
    ...(endUser && { endUser: { accountId: endUser.accountId, name: endUser.name } }),
    ...(from && { from: from.toISOString() }),
    hour: hourOf(from && from > open ? from : open),
  };
};
