import type { EndUserSums, EndUserUsage } from '@tallyport/management';
import { dollars, heading, type Html, html, type HtmlContent, meter, table } from '@tallyport/pages';
import type { Period } from '../screen/period.ts';
import { periodPicker } from '../screen/period-picker.ts';
import { budgetHolderAddress, budgetText } from '../screen/budget-text.ts';
import { whole } from '../requests/words.ts';
import { endUserAddress } from './end-user-page.ts';

interface EndUsersPage {
  base: string;
  period: Period;
  /** The days by UTC of which the sums are. */
  from: string;
  to: string;
  endUsers: readonly EndUserUsage[];
  others: EndUserSums;
  /** The list of today by UTC. */
  today: Pick<EndUsersPage, 'endUsers' | 'others'>;
  mayErase: boolean;
}

export const endUsersPage = ({ base, period, from, to, endUsers, others, today, mayErase }: EndUsersPage): Html =>
  html`${heading({
      title: 'End users',
      text: `Those that requests named with the header x-end-user or the member user, by cost, from ${from} to ${to} (UTC).`,
      back: { href: `${base}/analytics`, text: 'Analytics' },
      ...(mayErase && { action: { href: `${base}/end-users/erase`, text: 'Erase a name' } }),
    })}
    <div class="choosers">${periodPicker({ action: `${base}/end-users`, period, kept: {} })}</div>
    ${table({
      caption: 'End users',
      columns: [
        'End user',
        { title: 'Cost', kind: 'number' },
        { title: 'Requests', kind: 'number' },
        { title: 'Tokens', kind: 'number' },
        { title: 'Today', kind: 'number' },
        'Budget with the least left',
      ],
      rows: [
        ...endUsers.map((endUser) => [
          html`<a class="strong" href="${endUserAddress(base, endUser.endUser)}">${endUser.endUser}</a>`,
          ...figures(endUser),
          costToday(endUser.endUser, today),
          budgetPart(base, endUser.budget),
        ]),
        ...(others.requests > 0
          ? [[html`<span class="quiet">other end users</span>`, ...figures(others), '', '']]
          : []),
      ],
      empty: 'No request of this period named an end user.',
    })}`;

const figures = ({ cost, requests, tokens }: EndUserSums): string[] => [dollars(cost), whole(requests), whole(tokens)];

/** An end user beyond the list of today is one of the others, whose cost is not known one by one. */
function costToday(name: string, { endUsers, others }: EndUsersPage['today']): HtmlContent {
  const cost = endUsers.find(({ endUser }) => endUser === name)?.cost;
  return cost === undefined && others.requests > 0 ? html`<span class="quiet">–</span>` : dollars(cost ?? '0');
}

function budgetPart(base: string, budget: EndUserUsage['budget']): HtmlContent {
  if (budget === undefined) return html`<span class="quiet">none</span>`;
  const { scope, id, name, amount, period, spent, left } = budget;
  const part = Number(amount) > 0 ? Number(spent) / Number(amount) : 1;
  return html`<div class="spent">
    <span
      ><span class="strong">${dollars(left)}</span>
      <span class="quiet"
        >left of ${budgetText({ amount, period })} of
        <a href="${budgetHolderAddress(base, { scope, id })}">${name}</a></span
      ></span
    >
    ${meter(part)}
  </div>`;
}
