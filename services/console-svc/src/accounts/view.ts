import type { Account } from '@tallyport/management';
import {
  actionsColumn,
  badge,
  buttonForm,
  day,
  type FieldSpec,
  heading,
  type Html,
  html,
  table,
} from '@tallyport/pages';
import { budgetText } from '../screen/budget-text.ts';

export const newAccountFields: readonly FieldSpec[] = [
  { name: 'name', label: 'Name', kind: 'text', required: true, placeholder: 'research' },
  {
    name: 'ownerEmail',
    label: 'E-mail of its owner',
    kind: 'email',
    placeholder: 'bo@example.com',
    hint: 'Creates an invitation link for them. Leave empty to invite no one yet.',
  },
];

interface AccountsPage {
  base: string;
  csrfToken: string;
  accounts: readonly Account[];
  /** The default account, which operates the installation. */
  firstId: string;
}

export const accountsPage = ({ base, csrfToken, accounts, firstId }: AccountsPage): Html =>
  html`${heading({
    title: 'All Accounts',
    text: 'All accounts of this gateway. Each has its own keys, limits and budget.',
    action: { href: `${base}/accounts/new`, text: 'Create an account' },
  })}
  ${table({
    caption: 'Accounts',
    columns: ['Name', 'State', 'Budget', 'Created', actionsColumn],
    rows: accounts.map(({ id, name, suspendedAt, budget, createdAt }) => [
      html`<a class="strong" href="/dashboard/${id}/overview">${name}</a><br /><code class="one-line">${id}</code>`,
      suspendedAt === undefined ? badge('active', 'good') : badge('suspended', 'bad'),
      budget ? budgetText(budget) : html`<span class="quiet">none</span>`,
      day(createdAt),
      id !== firstId &&
        (suspendedAt === undefined
          ? html`<a class="bad" href="${base}/accounts/${id}/suspend" aria-label="Suspend ${name}">Suspend</a>`
          : buttonForm({
              action: `${base}/accounts/${id}/resume`,
              csrfToken,
              button: 'Resume',
              label: `Resume ${name}`,
              look: 'link',
            })),
    ]),
    empty: 'There are no accounts.',
  })}`;
