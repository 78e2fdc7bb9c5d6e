import { type Html, html, type HtmlContent } from './html.ts';

interface MenuGroup {
  title?: string;
  links: readonly MenuLink[];
}

interface MenuLink {
  href: string;
  text: string;
  icon?: Html;
  /** How many things wait there, and what they are for those who cannot see it. Nothing is shown for none. */
  count?: { number: number; text: string } | undefined;
  /** Whether it leads to the page that is shown. */
  isShown: boolean;
}

interface Menu {
  label: string;
  /** Where the reader is: the text of the button that opens the menu where the screen is narrow. */
  shown: string;
  top?: HtmlContent;
  groups: readonly MenuGroup[];
  bottom?: HtmlContent;
}

/** The navigation next to a page. */
export const menu = ({ label, shown, top, groups, bottom }: Menu): Html =>
  html`<button class="plain menu-button" popovertarget="menu">${menuIcon} ${shown}</button>
    <nav id="menu" popover aria-label="${label}">${top} ${groups.map(groupPart)} ${bottom}</nav>`;

const menuIcon = html`<svg class="icon" viewBox="0 0 20 20" aria-hidden="true" focusable="false">
  <path d="M3 6h14M3 10h14M3 14h14" />
</svg>`;

function groupPart({ title, links }: MenuGroup): Html | false {
  if (links.length === 0) return false;
  const list = links.map(
    ({ href, text, icon, count, isShown }) =>
      html`<li>
        <a href="${href}" ${isShown && html`aria-current="page"`}>${icon}${text}${count && countBadge(count)}</a>
      </li>`,
  );
  return title === undefined
    ? html`<ul>
        ${list}
      </ul>`
    : html`<p id="menu-${title}">${title}</p>
        <ul aria-labelledby="menu-${title}">
          ${list}
        </ul>`;
}

const countBadge = ({ number, text }: { number: number; text: string }): Html | false =>
  number > 0 && html`<span class="badge bad">${number}<span class="unseen"> ${text}</span></span>`;

/** Leads to a search. The module `palette.js` shows its results in a dialog, which a key opens as well. */
export const jumpLink = ({ href, text, placeholder }: { href: string; text: string; placeholder: string }): Html =>
  html`<a class="jump" href="${href}" data-placeholder="${placeholder}">${text}</a>`;
