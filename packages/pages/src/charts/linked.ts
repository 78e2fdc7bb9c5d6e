import { type Html, html } from '../html.ts';

/** A mark that leads somewhere by click. The table behind the chart has the same links for the keyboard. */
export const linked = (href: string | undefined, mark: Html): Html =>
  href === undefined ? mark : html`<a href="${href}" tabindex="-1">${mark}</a>`;
