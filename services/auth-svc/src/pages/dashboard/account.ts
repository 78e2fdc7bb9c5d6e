import type { Budget, Limits } from '@switchyard/contracts';
import type { Account } from '../../accounts/account-operations.ts';
import { type Html, html, type HtmlContent } from '../html.ts';
import type { FieldSpec } from './field-spec.ts';
import { budgetText } from './keys.ts';
import { budgetFields, cacheField, limitFields, limitsText } from './limit-fields.ts';
import { dollars, heading, meter, panel } from './parts.ts';

const nameField: FieldSpec = { name: 'name', label: 'Name', kind: 'text', required: true };

export const accountGroups = (mayMoveBounds: boolean) => [
  { fields: [nameField, cacheField] },
  ...(mayMoveBounds
    ? [
        { title: 'Limits of the whole account', text: limitsText, fields: limitFields },
        { title: 'Budget of the whole account', fields: budgetFields },
      ]
    : []),
];

export interface AccountPage {
  account: Account;
  /** Of the budget, in the period that runs; absent where that is not known. */
  spent: string | undefined;
  form: HtmlContent;
  /** Limits and budget are shown where they are not in the form. */
  boundsInForm: boolean;
}

export const accountPage = ({ account, spent, form, boundsInForm }: AccountPage): Html =>
  html`${heading({ title: 'Account', text: html`Its id is <code>${account.id}</code>.` })}
  ${account.budget && panel('Budget', budget(account.budget, spent))}
  ${!boundsInForm && panel('Limits', limits(account.limits ?? {}), 'Limits and budget are set by an operator.')} ${form}`;

function budget({ amount, period }: Budget, spent: string | undefined): Html {
  const text = budgetText({ amount, period });
  if (spent === undefined) return html`<p>${text}</p>`;
  return html`<p>${dollars(spent)} of ${text} is spent.</p>
    ${meter(Number(spent) / Number(amount))}`;
}

function limits({ requestsPerMinute = {}, tokensPerMinute, concurrency }: Limits): Html {
  const rows: [string, number | undefined][] = [
    ['Chat requests a minute', requestsPerMinute.chat],
    ['Image requests a minute', requestsPerMinute.images],
    ['Model lists a minute', requestsPerMinute.models],
    ['MCP requests a minute', requestsPerMinute.mcp],
    ['Tokens a minute', tokensPerMinute],
    ['Requests at once', concurrency],
  ];
  return html`<dl class="facts">
    ${rows.map(
      ([name, value]) =>
        html`<dt>${name}</dt>
          <dd>${value === undefined ? 'as the operator set it' : value === 0 ? 'no limit' : value}</dd>`,
    )}
  </dl>`;
}
