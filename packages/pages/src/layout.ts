import { assetPath, type ScriptName } from './assets.ts';
import { type Html, html } from './html.ts';

export type Theme = 'light' | 'dark';

interface Layout {
  title: string;
  body: Html;
  /** Content next to the brand at the top, for example the signed-in user. */
  corner?: Html;
  cornerLabel?: string;
  /** Navigation next to the page. */
  side?: Html;
  /** `narrow` for a single form, `wide` for tables. */
  width?: 'narrow' | 'wide';
  /** The colours that the reader chose; without a choice, those of their system. */
  theme?: Theme | undefined;
  /** The modules that the page loads. Pages work without them. */
  scripts?: readonly ScriptName[] | undefined;
}

/** The markup before and after the content of a page. The first part can be sent while the content is made. */
export interface PageFrame {
  before: Html;
  after: Html;
}

/** The frame of all pages. */
export const layout = ({ body, ...frame }: Layout): Html => {
  const { before, after } = layoutAround(frame);
  return html`${before}${body}${after}`;
};

export const layoutAround = ({
  title,
  corner,
  cornerLabel = 'Account',
  side,
  width = 'narrow',
  theme,
  scripts = [],
}: Omit<Layout, 'body'>): PageFrame => ({
  before: html`<!doctype html>
    <html lang="en" ${theme !== undefined && html`data-theme="${theme}"`}>
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="${theme ?? 'light dark'}" />
        <title>${title} · Tallyport</title>
        <link rel="icon" href="${assetPath('icon.svg')}" type="image/svg+xml" />
        <link rel="stylesheet" href="${assetPath('style.css')}" />
        ${scripts.map((name) => html`<script type="module" src="${assetPath(name)}"></script>`)}
      </head>
      <body>
        ${side && html`<a class="skip" href="#content">Skip to the content</a>`}
        <header class="top">
          <span class="brand">${mark}Tallyport</span>
          ${corner && html`<nav class="corner" aria-label="${cornerLabel}">${corner}</nav>`}
        </header>
        ${side && html`<div class="beside"><div class="side">${side}</div>`}
        <main id="content" class="${width}">
     `,
  after: html`</main>${side && html`</div>`}
      </body>
    </html> `,
});

/** The logo: a tally of five. */
const mark = html`<svg class="mark" viewBox="0 0 32 32" aria-hidden="true" focusable="false">
  <rect width="32" height="32" rx="9" />
  <path d="M9 9v14M13.7 9v14M18.3 9v14M23 9v14M6 20.5 26 11.5" />
</svg>`;
