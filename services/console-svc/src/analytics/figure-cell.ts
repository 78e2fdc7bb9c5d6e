import { html, type HtmlContent } from '@tallyport/pages';
import { changeText } from '../screen/change.ts';
import type { Figure } from './figures.ts';
import type { Totals } from './totals.ts';

interface FigureValue {
  now: number | undefined;
  /** In the period before; `undefined` if it is not known. */
  before: number | undefined;
  totals: Totals;
  /** The requests that the figure counts. */
  href: string | undefined;
}

/** A figure in a table, compared with the period before. One that counts an outcome leads to its requests. */
export function figureCell(
  { unit, outcome, growth, text }: Omit<Figure, 'of'>,
  { now, before, totals, href }: FigureValue,
): HtmlContent {
  if (now === undefined) return '–';
  const shown = text?.(totals) ?? unit.exact(now);
  const content = outcome && href && now > 0 ? html`<a href="${href}">${shown}</a>` : shown;
  if (growth === undefined || before === undefined || (now === 0 && before === 0)) return content;
  return html`${content}
    <div class="small quiet">${changeText({ now, before, growth })}</div>`;
}
