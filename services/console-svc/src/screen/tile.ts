import { type Html, html, type HtmlContent } from '@tallyport/pages';

/** A figure with a note below it. Belongs in a `dl` of the class `totals`. */
export const tile = (title: string, value: HtmlContent, note: HtmlContent): Html =>
  html`<div class="panel">
    <dt>${title}</dt>
    <dd>${value}</dd>
    ${note !== false && html`<dd class="quiet small">${note}</dd>`}
  </div>`;
