import type { Budget, Limits } from '@tallyport/contracts';
import type { Account } from '@tallyport/management';
import { dollarUnit, type FieldSpec, heading, type Html, html, type HtmlContent, meter, panel } from '@tallyport/pages';
import { budgetText } from '../screen/budget-text.ts';
import {
  budgetFields,
  cacheField,
  defaultText,
  type LimitDefaults,
  limitFields,
  limitsText,
  promptCachingField,
} from '../screen/limit-fields.ts';

const nameField: FieldSpec = { name: 'name', label: 'Name', kind: 'text', required: true };

const tagsField: FieldSpec = {
  name: 'tags',
  label: 'Tags',
  kind: 'lines',
  hint: 'One per line. Conditions of routes read them as account.tags.',
};

const cacheFields = [cacheField, promptCachingField('account')];

/** The field that turns the content log on. Pages without a content lead to it. */
export const contentDaysField = 'contentLog.days';

const contentFields: readonly FieldSpec[] = [
  {
    name: contentDaysField,
    label: 'Keep prompts and answers for',
    kind: 'number',
    unit: 'days',
    placeholder: 'not kept',
    hint: '1 to 90; empty to keep none. They are encrypted, and each visit is in the audit log.',
  },
  {
    name: 'contentLog.maxBytes',
    label: 'Keep at most',
    kind: 'number',
    unit: 'bytes of each text',
    initial: '65536',
    onlyWith: contentDaysField,
    hint: '1024 to 262144. Longer texts are cut.',
  },
];

const contentText = 'Only from now on, and only where the operator allows it with the setting LOG_CONTENT=true.';

/** Only operators may change the name and the bounds of an account. */
export const accountGroups = (isOperator: boolean) => [
  { fields: isOperator ? [nameField, tagsField, ...cacheFields] : cacheFields },
  { title: 'Prompts and answers', text: contentText, fields: contentFields },
  ...(isOperator
    ? [
        { title: 'Limits of the whole account', text: limitsText, fields: limitFields },
        { title: 'Budget of the whole account', fields: budgetFields },
      ]
    : []),
];

interface AccountPage {
  account: Account;
  limitDefaults: LimitDefaults;
  /** The amount spent of the budget in the current period; undefined if unknown. */
  spent: number | undefined;
  form: HtmlContent;
  /** Whether the form contains limits and budget; otherwise they are shown above it. */
  boundsInForm: boolean;
}

export const accountPage = ({ account, limitDefaults, spent, form, boundsInForm }: AccountPage): Html =>
  html`${heading({ title: 'Account', text: html`${account.name}, with the id <code>${account.id}</code>.` })}
  ${account.budget && panel('Budget', budget(account.budget, spent))}
  ${form === false && panel('Prompts and answers', contentState(account), 'Only an owner can change this.')}
  ${!boundsInForm && panel('Limits', limits(account.limits ?? {}, limitDefaults), 'Only an operator can change limits, budget, tags and name.')}
  ${form}`;

function budget({ amount, period }: Budget, spent: number | undefined): Html {
  const text = budgetText({ amount, period });
  if (spent === undefined) return html`<p>${text}</p>`;
  return html`<p>${dollarUnit.exact(spent)} of ${text} spent.</p>
    ${meter(spent / Number(amount))}`;
}

const contentState = ({ contentLog }: Account): string =>
  contentLog === undefined
    ? 'Prompts and answers are not kept.'
    : `Prompts and answers are kept for ${contentLog.days} ${contentLog.days === 1 ? 'day' : 'days'}.`;

function limits(own: Limits, defaults: LimitDefaults): Html {
  const { requestsPerMinute = {}, tokensPerMinute, concurrency } = own;
  const rows: [string, number | undefined, string][] = [
    ['Chat requests per minute', requestsPerMinute.chat, 'limits.requestsPerMinute.chat'],
    ['Image requests per minute', requestsPerMinute.images, 'limits.requestsPerMinute.images'],
    ['Model lists per minute', requestsPerMinute.models, 'limits.requestsPerMinute.models'],
    ['MCP requests per minute', requestsPerMinute.mcp, 'limits.requestsPerMinute.mcp'],
    ['Tokens per minute', tokensPerMinute, 'limits.tokensPerMinute'],
    ['Concurrent requests', concurrency, 'limits.concurrency'],
  ];
  return html`<dl class="facts">
    ${rows.map(
      ([name, value, field]) =>
        html`<dt>${name}</dt>
          <dd>${value === undefined ? defaultText(defaults[field]) : value === 0 ? 'no limit' : value}</dd>`,
    )}
  </dl>`;
}
