import type { Budget } from '@tallyport/contracts';
import { dollarUnit, type Html, html, meter, moment } from '@tallyport/pages';
import { budgetText } from '../screen/budget-text.ts';
import type { Spent } from '../screen/read-spent.ts';

export interface Spend {
  base: string;
  /** Of the period of the budget, or of the month; `undefined` if unknown. */
  spent: Spent | undefined;
  budget: Budget | undefined;
  /** Whether only the user's own spending is known. */
  onlyOwn: boolean;
}

/** What was spent, against the budget of the account if it has one. */
export const spendPart = (spend: Spend): Html =>
  html`<section>
    <h2>${spend.onlyOwn ? 'Your spend this month' : spend.budget ? 'Budget' : 'Spend this month'}</h2>
    <div class="panel padded">${contentOf(spend)}</div>
  </section>`;

function contentOf({ base, spent, budget, onlyOwn }: Spend): Html {
  const amount = spent && dollarUnit.exact(spent.amount);
  if (budget && spent === undefined) return html`<p class="last">${budgetText(budget)}</p>`;
  if (budget)
    return html`<p class="figure">${amount} <span class="quiet small">of ${budgetText(budget)} spent</span></p>
      ${meter((spent?.amount ?? 0) / Number(budget.amount))} ${spent?.until && startsAgain(spent.until)}`;
  return html`<p class="figure">${amount}</p>
    <p class="quiet small last">
      ${onlyOwn ? 'With keys you created and applications that act for you.' : html`<a href="${base}/account">The account</a> has no budget.`}
    </p>
    ${spent?.until && startsAgain(spent.until)}`;
}

const startsAgain = (until: Date): Html =>
  html`<p class="quiet small last">Starts again ${moment(until.toISOString())}.</p>`;
