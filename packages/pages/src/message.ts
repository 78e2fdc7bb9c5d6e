import { type Html, html } from './html.ts';
import { layout } from './layout.ts';

export interface MessagePage {
  title: string;
  text: string;
  /** Technical details, for example a code or an id. */
  detail?: string | undefined;
  link?: { href: string; text: string } | undefined;
}

/** A page with a single message. */
export const messagePage = (message: MessagePage): Html => layout({ title: message.title, body: messageCard(message) });

/** The same as a part of a page. */
export const messageCard = ({ title, text, detail, link }: MessagePage): Html =>
  html` <div class="card">
    <h1>${title}</h1>
    <p>${text}</p>
    ${link && html`<p><a href="${link.href}">${link.text}</a></p>`}
    ${detail !== undefined && html`<p class="quiet small"><code>${detail}</code></p>`}
  </div>`;
