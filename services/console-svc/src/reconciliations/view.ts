import { reasonTexts, type StoredReconciliation } from '@tallyport/management';
import { heading, type Html, html, type HtmlContent, moment, panel, table } from '@tallyport/pages';

type Amounts = Pick<StoredReconciliation, 'ours' | 'theirs' | 'difference' | 'reasons'>;

const amountColumns = [
  { title: 'Ledger', kind: 'number' },
  { title: 'Vendor', kind: 'number' },
  { title: 'Difference', kind: 'number' },
] as const;

/** The newest comparisons. */
export const comparisonsPage = (base: string, comparisons: readonly StoredReconciliation[]): Html =>
  html`${heading({
    title: 'Vendor Bills',
    text: 'How the ledger compared with what vendors billed, newest first. The newest hundred comparisons are kept.',
    action: { href: `${base}/reconciliations/new`, text: 'Compare with a bill' },
  })}
  ${table({
    caption: 'Comparisons',
    columns: ['Bill', 'Compared', 'Covers', ...amountColumns],
    rows: comparisons.map((comparison) => [
      html`<a class="strong" href="${base}/reconciliations/${comparison.id}">${comparison.vendor}</a><br /><span
          class="quiet small"
          >${periodOf(comparison)}</span
        >`,
      moment(comparison.at),
      comparison.scope === 'account' ? 'this account' : 'the installation',
      ...amounts(comparison, ` (${percentOf(comparison)})`),
    ]),
    empty: 'No bill has been compared yet. Compare one with the key of its vendor, or as CSV.',
  })}`;

export const comparisonTitle = ({ vendor, ...period }: StoredReconciliation): string =>
  `${vendor}, ${periodOf(period)}`;

/** One comparison: what it covers, both sums, the reasons of their difference, and the rows that differ most. */
export const comparisonPage = (base: string, comparison: StoredReconciliation): Html =>
  html`${heading({
      title: comparisonTitle(comparison),
      text: html`Compared ${moment(comparison.at)}. ${coverage[comparison.scope]}`,
      back: { href: `${base}/reconciliations`, text: 'Vendor Bills' },
    })}
    ${panel('Result', sums(comparison))} ${reasonsTable(comparison)} ${rowsTable(comparison)}
    <p>
      <a class="button plain" href="${base}/reconciliations/${comparison.id}/json" download="${fileName(comparison)}"
        >Download as JSON</a
      >
    </p>`;

/** A bill is always of a whole organisation at the vendor. */
const coverage: Readonly<Record<StoredReconciliation['scope'], string>> = {
  account:
    'The ledger’s side is what this account paid itself with its own provider keys. The vendor’s side is the bill of the whole organisation there.',
  installation:
    'The ledger’s side is what all accounts used with the keys of the installation. The vendor’s side is the bill of the whole organisation there.',
};

const sums = (comparison: StoredReconciliation): Html =>
  html`<dl class="facts">
    <dt>Ledger</dt>
    <dd>${exact(comparison.ours)}</dd>
    <dt>Vendor</dt>
    <dd>${exact(comparison.theirs)}</dd>
    <dt>Difference</dt>
    <dd>${exact(comparison.difference)} (${percentOf(comparison)})</dd>
  </dl>`;

const reasonsTable = ({ reasons }: StoredReconciliation): Html | false =>
  Object.keys(reasons).length > 0 &&
  html`<h2>Reasons</h2>
    ${table({
      caption: 'Reasons',
      columns: ['Reason', { title: 'Amount', kind: 'number' }],
      rows: largestFirst(reasons).map(([reason, amount]) => [reasonText(reason), exact(amount)]),
      empty: '',
    })}`;

const rowsTable = ({ rows }: StoredReconciliation): Html =>
  html`<h2>Days and models</h2>
    ${table({
      caption: 'Rows that differ most',
      columns: ['Day', 'Model', 'Class', 'Key', ...amountColumns, 'Reason'],
      rows: rows.map(({ day, model, billedClass, key, ...compared }) => [
        html`<span class="one-line">${day}</span>`,
        html`<span class="breaking">${model || '–'}</span>`,
        billedClass,
        html`<span class="breaking">${key || '–'}</span>`,
        ...amounts(compared),
        reasonCell(compared),
      ]),
      empty: 'No row differs.',
    })}`;

const amounts = ({ ours, theirs, difference }: Amounts, after = ''): HtmlContent[] => [
  exact(ours),
  exact(theirs),
  exact(difference) + after,
];

function reasonCell({ reasons }: Amounts): HtmlContent {
  const found = largestFirst(reasons);
  return found.map(
    ([reason, amount]) =>
      html`<div>${reasonText(reason)}${found.length > 1 && html` <span class="quiet">${exact(amount)}</span>`}</div>`,
  );
}

const largestFirst = (reasons: Amounts['reasons']): [reason: string, amount: string][] =>
  Object.entries(reasons).toSorted(([, one], [, other]) => Math.abs(Number(other)) - Math.abs(Number(one)));

/** A newer ledger-svc may name a reason that this page does not know. */
const reasonText = (reason: string): string =>
  Object.hasOwn(reasonTexts, reason) ? reasonTexts[reason as keyof typeof reasonTexts] : reason;

/** With every digit: differences are small. */
const exact = (amount: string): string => (amount.startsWith('-') ? `−$${amount.slice(1)}` : `$${amount}`);

const percentOf = ({ ratio }: Pick<StoredReconciliation, 'ratio'>): string =>
  `${(ratio * 100).toFixed(ratio < 0.001 ? 4 : 2)} %`;

const periodOf = ({ from, to }: Pick<StoredReconciliation, 'from' | 'to'>): string =>
  from === to ? from : `${from} to ${to}`;

const fileName = ({ vendor, from, to }: StoredReconciliation): string =>
  `${vendor.replaceAll(/[^\w.-]+/g, '-')}-${from}-${to}.json`;
