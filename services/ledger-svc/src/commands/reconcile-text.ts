import { reasonTexts } from '@tallyport/management';
import type { ComparedRow, Comparison } from '../reconcile/compare/compare.ts';
import type { VendorComparisonResult } from '../reconcile/compare-vendor.ts';

/** The result for one vendor. */
export interface VendorResult extends VendorComparisonResult {
  /** Whether `ratio` is at most the tolerance. */
  equal: boolean;
}

const mostRows = 40;

/** A result as text: both sums, the reasons, and the rows that differ. */
export function resultText({ vendor, from, to, equal, ratio, rows, ...sums }: VendorResult): string {
  const different = rows.filter(({ difference }) => difference !== '0');
  const percent = `${(ratio * 100).toFixed(ratio < 0.001 ? 4 : 2)} %`;
  const heads = [
    `${vendor}, ${from} to ${to} (UTC): ${equal ? 'equal' : 'differs'}`,
    ...columns([
      ['  ledger', dollars(sums.ours)],
      ['  vendor', dollars(sums.theirs)],
      ['  difference', `${dollars(sums.difference)} (${percent})`],
      ...reasonLines(sums.reasons).map(([text, amount]) => [`    ${text}`, amount]),
    ]),
  ];
  if (different.length === 0) return `${heads.join('\n')}\n`;
  const shown = different.slice(0, mostRows);
  const table = columns([
    ['day', 'model', 'class', 'key', 'ledger', 'vendor', 'difference', 'reason'],
    ...shown.map(cells),
  ]);
  const more = different.length - shown.length;
  const rest = more === 0 ? [] : [`${more} more rows differ; --json lists all.`];
  return `${[...heads, '', ...table, ...rest].join('\n')}\n`;
}

const dollars = (amount: string): string => (amount.startsWith('-') ? `-$${amount.slice(1)}` : `$${amount}`);

const reasonLines = (reasons: Comparison['reasons']): [string, string][] =>
  Object.entries(reasons).map(([reason, amount]) => [reasonTexts[reason as keyof typeof reasonTexts], dollars(amount)]);

function cells({ day, model, billedClass, key, ours, theirs, difference, reasons }: ComparedRow): string[] {
  const names = Object.entries(reasons);
  const text = names
    .map(([reason, amount]) => (names.length === 1 ? reason : `${reason} ${dollars(amount)}`))
    .join(', ');
  return [day, model || '-', billedClass, key || '-', dollars(ours), dollars(theirs), dollars(difference), text];
}

/** Pads each column to its widest cell. */
function columns(rows: readonly (readonly string[])[]): string[] {
  const widths: number[] = [];
  for (const row of rows) row.forEach((cell, at) => (widths[at] = Math.max(widths[at] ?? 0, cell.length)));
  return rows.map((row) =>
    row
      .map((cell, at) => cell.padEnd(widths[at] ?? 0))
      .join('  ')
      .trimEnd(),
  );
}
