import type { Invitation, Member, PasswordLink } from '@tallyport/management';
import {
  actionsColumn,
  badge,
  copyable,
  day,
  type FieldSpec,
  heading,
  type Html,
  html,
  type HtmlContent,
  moment,
  pager,
  searchForm,
  table,
} from '@tallyport/pages';
import { costCells, costColumns, type GroupCosts } from '../usage/group-costs.ts';

export const roleField = (mayMakeOwners: boolean): FieldSpec => ({
  name: 'role',
  label: 'Role',
  kind: 'choice',
  required: true,
  initial: 'member',
  hint: 'Members manage their own keys; admins manage all keys and members; owners also manage the account.',
  choices: [
    { value: 'member', text: 'member' },
    { value: 'admin', text: 'admin' },
    ...(mayMakeOwners ? [{ value: 'owner', text: 'owner' }] : []),
  ],
});

export const invitationFields = (mayMakeOwners: boolean): readonly FieldSpec[] => [
  { name: 'email', label: 'E-mail', kind: 'email', required: true, placeholder: 'bo@example.com' },
  roleField(mayMakeOwners),
];

/** The part of the members that a page shows. */
interface MemberList {
  search: string | undefined;
  /** Where this page begins, unless it is the first. */
  cursor: string | undefined;
  nextCursor: string | undefined;
}

interface MembersPage {
  base: string;
  members: readonly Member[];
  /** For admins; `undefined` if they cannot be read. */
  costs: GroupCosts | undefined;
  list: MemberList;
  /** Undefined if the user may not see them. */
  invitations: readonly Invitation[] | undefined;
  /** The user who views the page. */
  userId: string;
  mayChange(member: Member): boolean;
}

export const membersPage = (page: MembersPage): Html => {
  const { base, members, costs, list, invitations, userId, mayChange } = page;
  const isAdmin = invitations !== undefined;
  return html`${heading({
      title: 'Members',
      text: 'The members of this account. New members join with a link that works once.',
      action: invitations && { href: `${base}/members/invite`, text: 'Invite a member' },
    })}
    <div class="choosers">
      ${searchForm({
        action: `${base}/members`,
        label: 'Search members',
        placeholder: 'A part of the e-mail address',
        text: list.search,
        kept: {},
      })}
    </div>
    ${table({
      caption: 'Members',
      columns: ['E-mail', 'Role', 'Since', ...(isAdmin ? costColumns : []), actionsColumn],
      rows: members.map((member) => [
        html`${nameOf(base, member, isAdmin)} ${member.userId === userId && badge('you')}`,
        member.role,
        day(member.joinedAt),
        ...(isAdmin ? costCells({ base, by: 'member', id: member.userId }, costs) : []),
        memberActions(`${base}/members/${member.userId}`, member, { own: member.userId === userId, mayChange }),
      ]),
      empty:
        list.search === undefined ? 'This account has no members.' : `No member has “${list.search}” in their address.`,
    })}
    ${pager({
      first: list.cursor === undefined ? undefined : addressOf(base, list.search),
      next: list.nextCursor === undefined ? undefined : addressOf(base, list.search, list.nextCursor),
      firstText: 'First',
      nextText: 'More',
    })}
    ${
      invitations &&
      invitations.length > 0 &&
      html`<h2>Pending invitations</h2>
        ${table({
          caption: 'Invitations',
          columns: ['E-mail', 'Role', 'Expires', actionsColumn],
          rows: invitations.map(({ id, email, role, expiresAt }) => [
            email,
            role,
            day(expiresAt),
            html`<a class="bad" href="${base}/invitations/${id}/withdraw" aria-label="Withdraw ${email}">Withdraw</a>`,
          ]),
          empty: '',
        })}`
    }`;
};

/** Admins see the usage of a member. */
const nameOf = (base: string, { email, userId }: Member, isAdmin: boolean): Html =>
  isAdmin
    ? html`<a class="strong" href="${base}/members/${userId}">${email}</a>`
    : html`<span class="strong">${email}</span>`;

function addressOf(base: string, search: string | undefined, after?: string): string {
  const parameters = new URLSearchParams({ ...(search !== undefined && { q: search }), ...(after && { after }) });
  return parameters.size === 0 ? `${base}/members` : `${base}/members?${parameters.toString()}`;
}

const memberActions = (
  href: string,
  member: Member,
  { own, mayChange }: { own: boolean; mayChange(member: Member): boolean },
): HtmlContent => [
  mayChange(member) && html`<a href="${href}" aria-label="Change role of ${member.email}">Change role</a>`,
  !own &&
    mayChange(member) &&
    html` <a href="${href}/password" aria-label="New password for ${member.email}">New password</a>`,
  (own || mayChange(member)) &&
    html` <a class="bad" href="${href}/remove" aria-label="${own ? 'Leave' : `Remove ${member.email}`}"
      >${own ? 'Leave' : 'Remove'}</a
    >`,
];

/** The only page that shows the link. */
export const passwordLinkPage = ({ email, expiresAt, url }: PasswordLink, back: string): Html =>
  html`${heading({ title: `New password for ${email}` })}
    <div class="panel padded">
      <p class="note warn">
        Send this link to ${email} yourself. Anyone who has it can choose their password, once, until
        ${moment(expiresAt)}. It is not shown again; a new link replaces it.
      </p>
      ${copyable('Password link', url, 'chief')}
      <div class="form-actions"><a class="button" href="${back}">I have copied it</a></div>
    </div>`;

/** The only page that shows the link. */
export const invitedPage = ({ email, expiresAt, url = '' }: Invitation, back: string): Html =>
  html`${heading({ title: `Invitation for ${email}` })}
    <div class="panel padded">
      <p class="note warn">
        Send this link to ${email} yourself. Anyone who has it can accept, once, until ${moment(expiresAt)}. It is not
        shown again; a new invitation replaces it.
      </p>
      ${copyable('Invitation link', url, 'chief')}
      <div class="form-actions"><a class="button" href="${back}">I have copied it</a></div>
    </div>`;
