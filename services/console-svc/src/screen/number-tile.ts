import { type Html, html, type HtmlContent, type Unit } from '@tallyport/pages';

interface NumberTile {
  title: HtmlContent;
  unit: Unit;
  now: number | undefined;
  /** Of the period before; `undefined` if it is not known. */
  before: number | undefined;
  /** A small chart. */
  chart?: Html;
}

/** A number of a period, compared with the period before. Belongs in a `dl` of the class `totals`. */
export const numberTile = ({ title, unit, now, before, chart }: NumberTile): Html =>
  html`<div class="panel">
    <dt>${title}</dt>
    <dd>${now === undefined ? '–' : tileText(unit, now)}</dd>
    ${now !== undefined && before !== undefined && html`<dd class="quiet small">${comparison(unit, now, before)}</dd>`}
    ${chart && html`<dd>${chart}</dd>`}
  </div>`;

/** For example `+12 % from 1,204`. */
export function comparison(unit: Unit, now: number, before: number): string {
  if (before === 0) return now === 0 ? 'none before' : 'from none';
  const change = Math.round((now / before - 1) * 100);
  const direction = change > 0 ? `+${change} %` : change < 0 ? `−${-change} %` : 'unchanged';
  return `${direction} from ${tileText(unit, before)}`;
}

/** A tile has no room for millions. */
const tileText = (unit: Unit, value: number): string => (value < 1_000_000 ? unit.exact(value) : unit.short(value));
