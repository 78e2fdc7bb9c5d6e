import type { BudgetProgress } from '@tallyport/management';
import { day, dollars, heading, type Html, html, meter, pager, searchForm, table } from '@tallyport/pages';
import { budgetHolderAddress, budgetText } from '../screen/budget-text.ts';

interface BudgetsPage {
  base: string;
  budgets: readonly BudgetProgress[];
  search: string | undefined;
  /** Where this page begins, unless it is the first. */
  cursor: string | undefined;
  nextCursor: string | undefined;
  /** Whether the user only sees their projects and keys they created. */
  onlyOwn: boolean;
  /** Undefined if the user may not see them. */
  alerts: Html | undefined;
}

export const budgetsPage = ({ base, budgets, alerts, onlyOwn, ...list }: BudgetsPage): Html =>
  html`${heading({
      title: 'Budgets and Alerts',
      text: `What was spent of each budget in its current period. ${onlyOwn ? 'Only your projects and keys you created are shown.' : ''}`,
      action: alerts && { href: `${base}/alerts/new`, text: 'Create an alert' },
    })}
    ${alerts}
    <h2>Budgets</h2>
    <div class="choosers">
      ${searchForm({
        action: `${base}/budgets`,
        label: 'Search projects and keys with a budget',
        placeholder: 'Name, or beginning of a key',
        text: list.search,
        kept: {},
      })}
    </div>
    ${table({
      caption: 'Budgets',
      columns: ['Name', 'Spent', { title: 'Left', kind: 'number' }, 'Starts again'],
      rows: budgets.map((budget) => [
        nameOf(base, budget),
        spentPart(budget),
        dollars(budget.left),
        day(budget.resetsAt, 'does not'),
      ]),
      empty: emptyText(list.search),
    })}
    ${pager({
      first: list.cursor === undefined ? undefined : addressOf(base, list.search),
      firstText: 'First',
      next: list.nextCursor === undefined ? undefined : addressOf(base, list.search, list.nextCursor),
      nextText: 'More',
    })}`;

const holders = {
  account: 'the whole account',
  project: 'a project',
  key: 'a key',
} as const satisfies Record<BudgetProgress['scope'], string>;

const nameOf = (base: string, budget: BudgetProgress): Html =>
  html`<a class="strong" href="${budgetHolderAddress(base, budget)}">${budget.name}</a><br /><span class="quiet small"
      >${holders[budget.scope]}</span
    >`;

const spentPart = ({ spent, spentPercent, amount, period }: BudgetProgress): Html =>
  html`<div class="spent">
    <span
      ><span class="strong">${dollars(spent)}</span>
      <span class="quiet">of ${budgetText({ amount, period })} (${Math.floor(spentPercent)} %)</span></span
    >
    ${meter(spentPercent / 100)}
  </div>`;

const emptyText = (search: string | undefined): string =>
  search === undefined
    ? 'There are no budgets. Set one for the account, a project or a key: requests beyond it are refused.'
    : `No project or key with a budget is named “${search}”, and no key begins with it.`;

function addressOf(base: string, search?: string, cursor?: string): string {
  const parameters = new URLSearchParams({
    ...(search !== undefined && { q: search }),
    ...(cursor !== undefined && { after: cursor }),
  });
  return parameters.size === 0 ? `${base}/budgets` : `${base}/budgets?${parameters.toString()}`;
}
