import { type Html, html } from './html.ts';
import { layout } from './layout.ts';

export interface MessagePage {
  title: string;
  text: string;
  /** What an expert may want to know: a code, an id. */
  detail?: string | undefined;
  link?: { href: string; text: string } | undefined;
}

/** One thing to say: what went wrong and what to do, or that all is well. */
export const messagePage = ({ title, text, detail, link }: MessagePage): Html =>
  layout({
    title,
    body: html` <div class="card">
      <h1>${title}</h1>
      <p>${text}</p>
      ${link && html`<p><a href="${link.href}">${link.text}</a></p>`}
      ${detail !== undefined && html`<p class="quiet small"><code>${detail}</code></p>`}
    </div>`,
  });
