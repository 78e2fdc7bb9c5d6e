import type { AlertRecord, BudgetProgress } from '@tallyport/management';
import { badge, type Html, html, type HtmlContent } from '@tallyport/pages';
import { type ProviderState, stateBadge } from '../providers/provider-state.ts';
import { budgetHolderAddress } from '../screen/budget-text.ts';

/** What needs a person now. What could not be read is `undefined`. */
export interface Attention {
  base: string;
  /** Undefined for those who may not see alerts, too. */
  firing: readonly AlertRecord[] | undefined;
  /** Providers that are degraded or open. */
  providers: readonly { name: string; kind: ProviderState['kind'] }[] | undefined;
  /** Of which most is spent. */
  budgets: readonly BudgetProgress[] | undefined;
}

/** Of each kind; the links after them lead to all. */
const mostItems = 4;

/** The first line of the overview: each item is a link to where one can do something about it. */
export const attentionPart = (attention: Attention): Html => {
  const items = itemsOf(attention);
  return html`<section aria-label="Now">
    ${
      items.length === 0
        ? html`<p class="note good">${calmText(attention)}</p>`
        : html`<ul class="chips now">
            ${items.map((item) => html`<li>${item}</li>`)}
          </ul>`
    }
  </section>`;
};

const itemsOf = ({ base, firing = [], providers = [], budgets = [] }: Attention): HtmlContent[] => [
  ...limited(firing, { href: `${base}/budgets`, noun: 'alerts' }, (alert) => firingItem(base, alert)),
  ...limited(providers, { href: `${base}/providers`, noun: 'providers' }, ({ name, kind }) =>
    item(`${base}/providers/${encodeURIComponent(name)}`, name, stateBadge(kind)),
  ),
  ...limited(budgets, { href: `${base}/budgets`, noun: 'budgets' }, (budget) =>
    item(budgetHolderAddress(base, budget), `Budget of ${budget.name}`, spentBadge(budget)),
  ),
];

function firingItem(base: string, { id, name, firing }: AlertRecord): Html {
  const [first] = firing;
  const subject = first && first.subjectName !== name ? `${name}: ${first.subjectName}` : name;
  const more = firing.length > 1 ? ` and ${firing.length - 1} more` : '';
  return item(`${base}/alerts/${id}`, subject + more, badge('firing', 'bad'));
}

const spentBadge = ({ spentPercent }: BudgetProgress): Html =>
  badge(`${Math.floor(spentPercent)} % spent`, spentPercent >= 100 ? 'bad' : 'warn');

const item = (href: string, text: string, state: Html): Html => html`${state} <a href="${href}">${text}</a>`;

function limited<Item>(
  all: readonly Item[],
  { href, noun }: { href: string; noun: string },
  shown: (item: Item) => Html,
): Html[] {
  const rest = all.length - mostItems;
  return [
    ...all.slice(0, mostItems).map(shown),
    ...(rest > 0 ? [html`<a href="${href}">${rest} more ${noun}</a>`] : []),
  ];
}

/** Names only what is known. */
function calmText({ firing, providers, budgets }: Attention): string {
  const parts = [
    firing && 'no alert is firing',
    providers && 'no provider is degraded',
    budgets && `no budget is ${runsOutPercent} % spent`,
  ].filter((part) => part !== undefined);
  if (parts.length === 0) return 'The state of providers and budgets cannot be read now. Open this page again.';
  const text = new Intl.ListFormat('en-GB').format(parts);
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
}

/** A budget of which this part is spent runs out. */
export const runsOutPercent = 80;
