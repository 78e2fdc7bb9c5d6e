import { type Html, html, type HtmlContent, type Unit } from '@tallyport/pages';
import { changeText, type Growth } from './change.ts';

interface NumberTile {
  title: HtmlContent;
  unit: Unit;
  now: number | undefined;
  /** Of the period before; `undefined` if it is not known. */
  before: number | undefined;
  /** What it means if the number grows. */
  growth: Growth;
  /** Below the number. */
  note?: HtmlContent | undefined;
  /** A small chart. */
  chart?: Html;
}

/** A number of a period, compared with the period before. Belongs in a `dl` of the class `totals`. */
export const numberTile = ({ title, unit, now, before, growth, note, chart }: NumberTile): Html =>
  html`<div class="panel">
    <dt>${title}</dt>
    <dd>${now === undefined ? '–' : tileText(unit, now)}</dd>
    ${
      now !== undefined &&
      before !== undefined &&
      html`<dd class="quiet small">${changeText({ now, before, growth }, ` from ${tileText(unit, before)}`)}</dd>`
    }
    ${note !== undefined && html`<dd class="quiet small">${note}</dd>`} ${chart && html`<dd>${chart}</dd>`}
  </div>`;

/** A tile has no room for millions. */
const tileText = (unit: Unit, value: number): string => (value < 1_000_000 ? unit.exact(value) : unit.short(value));
