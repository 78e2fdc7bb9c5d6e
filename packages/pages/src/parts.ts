import { type Html, html, type HtmlContent, viewed } from './html.ts';
import { type FormPart, formPart } from './form/form.ts';

export interface Heading {
  title: string;
  text?: HtmlContent;
  /** The main action of the page. */
  action?: { href: string; text: string } | undefined;
  /** The parent page. */
  back?: { href: string; text: string };
}

export const heading = ({ title, text, action, back }: Heading): Html =>
  html`${back && html`<p class="back"><a href="${back.href}">${back.text}</a></p>`}
    <div class="heading">
      <div>
        <h1>${title}</h1>
        ${text !== undefined && html`<p class="quiet">${text}</p>`}
      </div>
      ${action && html`<a class="button" href="${action.href}">${action.text}</a>`}
    </div>`;

interface Column {
  title: string;
  /** `number` columns are aligned to the right, `actions` has no visible title. */
  kind?: 'number' | 'actions';
  /** The address of the page in the order of this column, the highest first. */
  order?: { href: string; isCurrent: boolean };
}

export const actionsColumn: Column = { title: 'Actions', kind: 'actions' };

interface Table {
  caption: string;
  columns: readonly (string | Column)[];
  rows: readonly (readonly HtmlContent[])[];
  /** The text shown if there are no rows. */
  empty: HtmlContent;
  /** Rows of one line, for long lists. */
  isDense?: true;
}

/** On narrow screens each row becomes a card. The roles keep it a table for assistive technology. */
export const table = ({ caption, columns, rows, empty, isDense }: Table): Html =>
  rows.length === 0
    ? html`<div class="panel empty"><p>${empty}</p></div>`
    : html`<div class="panel scroll" role="region" aria-label="${caption}" tabindex="0">
        <table role="table" ${isDense && html`class="dense"`}>
          <caption class="unseen">
            ${caption}
          </caption>
          <thead role="rowgroup">
            <tr role="row">
              ${columns.map(columnHead)}
            </tr>
          </thead>
          <tbody role="rowgroup">
            ${rows.map(
              (cells) =>
                html`<tr role="row">
                  ${cells.map(
                    (cell, at) =>
                      html`<td role="cell" class="${classOf(cell, columns[at])}" data-title="${titleOf(columns[at])}">
                        ${cell}
                      </td>`,
                  )}
                </tr>`,
            )}
          </tbody>
        </table>
      </div>`;

function columnHead(column: string | Column): Html {
  const title = titleOf(column);
  const kind = kindOf(column);
  const order = typeof column === 'object' ? column.order : undefined;
  return html`<th role="columnheader" scope="col" class="${kind}" ${order?.isCurrent && html`aria-sort="descending"`}>
    ${kind === 'actions' ? html`<span class="unseen">${title}</span>` : order ? html`<a href="${order.href}">${title}</a>` : title}
  </th>`;
}

/** A phone leaves out cells without content. */
const classOf = (cell: HtmlContent, column: string | Column | undefined): string =>
  cell === '' ? 'blank' : kindOf(column);

const titleOf = (column: string | Column | undefined): string =>
  typeof column === 'object' ? column.title : (column ?? '');

const kindOf = (column: string | Column | undefined): string => (typeof column === 'object' && column.kind) || '';

export const panel = (title: string, content: HtmlContent, text?: HtmlContent): Html =>
  html`<section class="panel padded">
    <h2>${title}</h2>
    ${text !== undefined && html`<p class="quiet small">${text}</p>`} ${content}
  </section>`;

export type Tone = 'good' | 'bad' | 'warn' | 'plain';

export const badge = (text: string, tone: Tone = 'plain'): Html => html`<span class="badge ${tone}">${text}</span>`;

/** A date in the viewer's time zone, with the time as a tooltip. */
export const day = (iso: string | undefined, otherwise = 'never'): Html =>
  iso === undefined
    ? html`<span class="quiet">${otherwise}</span>`
    : viewed((viewer) => html`<time datetime="${iso}" title="${viewer.minute(iso)}">${viewer.day(iso)}</time>`);

/** A date and time in the viewer's time zone, with its offset. */
export const moment = (iso: string): Html =>
  viewed((viewer) => html`<time datetime="${iso}">${viewer.minute(iso)}</time>`);

/** A date and time to the second in the viewer's time zone, with its offset. */
export const second = (iso: string): Html =>
  viewed((viewer) => html`<time datetime="${iso}">${viewer.second(iso)}</time>`);

/** Text to copy: a click selects all of it. */
export const copyable = (label: string, text: string, rank: 'chief' | '' = ''): Html =>
  html`<div class="copy ${rank}">
    <p class="label">${label}</p>
    <pre tabindex="0" role="region" aria-label="${label}">${text}</pre>
  </div>`;

interface Confirmation extends Pick<FormPart, 'action' | 'csrfToken' | 'state' | 'button'> {
  title: string;
  text: HtmlContent;
  /** The page that "Cancel" leads to. */
  back: string;
  groups?: FormPart['groups'];
}

/** A confirmation before a destructive action. */
export const confirmation = ({ title, text, back, groups = [], ...form }: Confirmation): Html =>
  html`<div class="panel padded question danger">
    <h1>${title}</h1>
    <p>${text}</p>
    ${formPart({ ...form, groups, cancel: back })}
  </div>`;

/** A bar showing the used share, which warns near its end. */
export const meter = (share: number): Html => bar(share, share >= 0.9 ? 'high' : '');

/** A bar showing the share that is done. */
export const progressBar = (share: number): Html => bar(share, '');

const bar = (share: number, tone: 'high' | ''): Html =>
  html`<svg class="meter ${tone}" viewBox="0 0 100 2" preserveAspectRatio="none" aria-hidden="true">
    <rect width="100" height="2" />
    <rect class="used" width="${Math.min(100, share * 100).toFixed(1)}" height="2" />
  </svg>`;
