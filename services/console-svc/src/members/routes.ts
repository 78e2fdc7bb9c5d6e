import { GatewayError } from '@tallyport/contracts';
import { type AccountRights, hasRole, type Member } from '@tallyport/management';
import { type FieldSpec, fieldValues, type FormState, type Html, inputOf } from '@tallyport/pages';
import { findById } from '../screen/find-by-id.ts';
import { formPage } from '../screen/form-page.ts';
import { invitationFields, invitedPage, membersPage, passwordLinkPage, roleField } from './view.ts';
import { confirmationRoutes, formRoutes, type ConfirmationPrompt } from '../screen/form-routes.ts';
import { type DashboardRequest, type DashboardResponse, type DashboardRoute, secretScripts } from '../screen/route.ts';
import { readGroupCosts } from '../usage/group-costs.ts';
import { usageStrip } from '../usage/usage-strip.ts';

const section = 'members';
const title = 'Members';
const access = 'admin';
const back = { path: '/members', text: title };

export const memberRoutes: readonly DashboardRoute[] = [
  { method: 'get', path: '/members', section, answer: async (request) => ({ title, content: () => members(request) }) },
  ...formRoutes({ path: '/members/invite', section, access, show: showInvite, submit: invite }),
  ...formRoutes({ path: '/members/:id', section, access, show: showRole, submit: changeRole }),
  ...confirmationRoutes({ path: '/members/:id/remove', section, ask: askToRemove, act: removeMember }),
  ...confirmationRoutes({ path: '/members/:id/password', section, access, ask: askForLink, act: makeLink }),
  ...confirmationRoutes({ path: '/invitations/:id/withdraw', section, access, ask: askToWithdraw, act: withdraw }),
];

const pageSize = 50;

async function members(request: DashboardRequest): Promise<Html> {
  const { ask, base, caller, signedIn, query } = request;
  const search = query['q']?.trim().slice(0, 100) || undefined;
  const cursor = query['after'] || undefined;
  const isAdmin = hasRole(caller, 'admin');
  const [{ members: listed, nextCursor }, { invitations }] = await Promise.all([
    ask('listMembers', { search, cursor, limit: pageSize }),
    isAdmin ? ask('listInvitations') : { invitations: undefined },
  ]);
  const ids = listed.map(({ userId }) => userId);
  const costs = isAdmin ? await readGroupCosts(request, 'member', ids) : undefined;
  const mayChange = ({ role }: Member): boolean => hasRole(caller, role === 'owner' ? 'owner' : 'admin');
  const list = { search, cursor, nextCursor };
  return membersPage({ base, members: listed, costs, list, invitations, userId: signedIn.userId, mayChange });
}

async function showInvite(request: DashboardRequest, state: FormState): Promise<DashboardResponse> {
  const groups = [{ fields: invitationFields(mayMakeOwners(request.caller)) }];
  return formPage(request, state, { title: 'Invite a member', back, groups, button: 'Create the link', once: true });
}

async function invite({ ask, base, fields }: DashboardRequest): Promise<DashboardResponse> {
  const invitation = await ask('invite', inputOf(invitationFields(true), fields));
  return { title: 'Invitation', scripts: secretScripts, body: invitedPage(invitation, `${base}/members`) };
}

async function showRole(request: DashboardRequest, state: FormState): Promise<DashboardResponse> {
  const [member, between] = await Promise.all([
    readMember(request),
    usageStrip(request, { member: request.params['id'] ?? '' }),
  ]);
  const fields = [roleField(mayMakeOwners(request.caller))];
  const values = fieldValues(fields, member);
  return formPage(request, state, { title: member.email, back, groups: [{ fields }], values, button: 'Save', between });
}

async function changeRole({ ask, params, fields }: DashboardRequest): Promise<DashboardResponse> {
  await ask('changeMember', { ...inputOf([roleField(true)], fields), userId: params['id'] });
  return { to: '/members', notice: 'role-changed' };
}

const keepField = (creator: 'you' | 'they'): FieldSpec => ({
  name: 'keepKeys',
  label: `Keep the keys ${creator} created`,
  kind: 'flag',
  hint: 'They become keys of the account. Admin keys are always revoked.',
});

async function askToRemove(request: DashboardRequest): Promise<ConfirmationPrompt> {
  const { email, userId } = await readMember(request);
  const own = userId === request.signedIn.userId;
  const who = own ? 'you' : 'they';
  return {
    title: own ? 'Leave this account?' : `Remove ${email}?`,
    text: `${own ? 'You' : 'They'} can only rejoin with a new invitation. The keys ${who} created here and the access ${who} gave to applications end.`,
    button: own ? 'Leave' : 'Remove',
    back: '/members',
    groups: hasRole(request.caller, 'admin') ? [{ fields: [keepField(who)] }] : [],
  };
}

async function removeMember({ ask, params, fields, signedIn }: DashboardRequest): Promise<DashboardResponse> {
  const { keepKeys } = inputOf([keepField('they')], fields);
  await ask('removeMember', { userId: params['id'], keepKeys: keepKeys === true ? 'true' : 'false' });
  return params['id'] === signedIn.userId ? { home: true } : { to: '/members', notice: 'member-removed' };
}

async function askForLink(request: DashboardRequest): Promise<ConfirmationPrompt> {
  const { email } = await readMember(request);
  return {
    title: `Let ${email} choose a new password?`,
    text: 'You get a link to send to them, valid once and for a day. Their password does not change until they use it.',
    button: 'Create the link',
    back: '/members',
  };
}

async function makeLink({ ask, base, params }: DashboardRequest): Promise<DashboardResponse> {
  const link = await ask('makePasswordLink', { userId: params['id'] });
  return { title: 'New password', scripts: secretScripts, body: passwordLinkPage(link, `${base}/members`) };
}

async function askToWithdraw({ ask, params }: DashboardRequest): Promise<ConfirmationPrompt> {
  const { invitations } = await ask('listInvitations');
  const { email } = findById(invitations, params['id'], 'This invitation no longer exists.');
  const text = 'Its link will stop working.';
  return { title: `Withdraw the invitation of ${email}?`, text, button: 'Withdraw', back: '/members' };
}

async function withdraw({ ask, params }: DashboardRequest): Promise<DashboardResponse> {
  await ask('withdrawInvitation', { id: params['id'] });
  return { to: '/members', notice: 'invitation-withdrawn' };
}

async function readMember({ ask, params }: DashboardRequest): Promise<Member> {
  const { members } = await ask('listMembers');
  const member = members.find(({ userId }) => userId === params['id']);
  if (member === undefined) throw new GatewayError('not_found', 'This member no longer exists.');
  return member;
}

const mayMakeOwners = (caller: AccountRights): boolean => hasRole(caller, 'owner');
