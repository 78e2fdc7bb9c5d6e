import type { Role } from '@tallyport/contracts';
import {
  csrfField,
  hidden,
  type Html,
  html,
  jumpLink,
  layoutAround,
  menu,
  type PageFrame,
  type ScriptName,
  type Theme,
} from '@tallyport/pages';
import { sectionGroups, type SectionGroup, sectionIcon, type SectionName, sections } from './sections.ts';

interface DashboardFrame {
  title: string;
  section: SectionName | undefined;
  /** A message about the last action. */
  notice?: string | undefined;
  email: string;
  csrfToken: string;
  /** The zone of the times on the page. */
  timeZone: string;
  /** Whether /status exists. */
  hasStatusPage: boolean;
  theme: Theme | undefined;
  /** The address of the page. */
  page: string;
  account: { id: string; name: string; role: Role; suspended: boolean };
  /** The accounts the user can switch to, including the current one. */
  accounts: readonly { id: string; name: string }[];
  sections: readonly { name: SectionName; title: string; href: string }[];
  /** How many alerts are firing. */
  firing: number;
  scripts?: readonly ScriptName[] | undefined;
}

/** The frame of all dashboard pages. */
export function dashboardFrame(frame: DashboardFrame): PageFrame {
  const { title, scripts, notice, account, theme } = frame;
  const parts = { corner: corner(frame), side: side(frame) };
  const { before, after } = layoutAround({ title, width: 'wide', theme, scripts, ...parts });
  return {
    before: html`${before} ${notice !== undefined && html`<p class="note good" role="status">${notice}</p>`}
    ${
      account.suspended &&
      html`<p class="note warn">This account is suspended: all its keys are refused until an operator resumes it.</p>`
    }`,
    after,
  };
}

const corner = ({ email, csrfToken, account }: DashboardFrame): Html =>
  html`<a href="/dashboard/${account.id}/profile">${email}</a>
    <form class="inline" method="post" action="/sign-out">
      ${csrfField(csrfToken)}
      <button class="link">Sign out</button>
    </form>`;

const side = (frame: DashboardFrame): Html =>
  menu({
    label: 'Dashboard',
    shown: frame.section === undefined ? 'Menu' : sections[frame.section].title,
    top: html`${accountPart(frame)} ${jumpPart(frame)}`,
    groups: sectionGroups.map((group) => ({ title: group, links: linksOf(group, frame) })),
    bottom: html`${frame.hasStatusPage && html`<a class="zone" href="/status">Status page</a>`} ${zonePart(frame)}
    ${themePart(frame)}`,
  });

export const jumpHint = 'Name, id of a request, “create key”';

const jumpPart = ({ account }: DashboardFrame): Html =>
  jumpLink({
    href: `/dashboard/${account.id}/jump`,
    text: 'Jump to…',
    placeholder: jumpHint,
  });

const zonePart = ({ account, timeZone }: DashboardFrame): Html =>
  html`<a class="zone" href="/dashboard/${account.id}/time-zone">Times in ${timeZone.replaceAll('_', ' ')}</a>`;

const themes = [
  ['system', 'System'],
  ['light', 'Light'],
  ['dark', 'Dark'],
] as const;

/** The colours of all pages of the dashboard in this browser. */
const themePart = ({ account, csrfToken, theme, page }: DashboardFrame): Html =>
  html`<form class="theme" method="post" action="/dashboard/${account.id}/theme" aria-label="Colours">
    ${csrfField(csrfToken)} ${hidden('page', page)}
    ${themes.map(
      ([value, text]) =>
        html`<button
          class="plain"
          name="theme"
          value="${value}"
          aria-pressed="${String(value === (theme ?? 'system'))}"
        >
          ${text}
        </button>`,
    )}
  </form>`;

const accountPart = ({ account, accounts }: DashboardFrame): Html =>
  accounts.length > 1 ? accountSwitch(account, accounts) : html`<p class="switch">${accountLabel(account)}</p>`;

const linksOf = (group: SectionGroup, { sections: shown, section, firing }: DashboardFrame) =>
  shown
    .filter(({ name }) => sections[name].group === group)
    .map(({ name, title, href }) => ({
      href,
      text: title,
      icon: sectionIcon(name),
      isShown: name === section,
      ...(name === 'budgets' && { count: { number: firing, text: 'firing' } }),
    }));

const accountSwitch = (shown: DashboardFrame['account'], accounts: DashboardFrame['accounts']): Html =>
  html`<details class="switch">
    <summary>${accountLabel(shown)}</summary>
    <ul>
      ${accounts.map(
        ({ id, name }) =>
          html`<li>
            <a href="/dashboard/${id}/overview" ${id === shown.id && html`aria-current="true"`}>${name}</a>
          </li>`,
      )}
    </ul>
  </details>`;

const accountLabel = ({ name, role }: DashboardFrame['account']): Html =>
  html`<span class="account"><strong>${name}</strong><span class="quiet small">${role}</span></span>`;
