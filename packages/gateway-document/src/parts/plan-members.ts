import type { Role } from '@tallyport/contracts';
import { hasRole, type Invitation, type Member } from '@tallyport/management';
import type { AccountPart } from '../account-part.ts';
import { callStep, deletionStep } from '../call-step.ts';
import { memberNamed, namesMember } from '../named-members.ts';
import {
  accountIdOf,
  extraPart,
  joinParts,
  type PartPlan,
  problemPart,
  type PlanStep,
  stepPart,
  unchangedPart,
} from '../plan-step.ts';

/** Members are recognised by e-mail address or user id. A person who is not a member yet is invited. */
export function planMembers(
  { account, entry, state }: AccountPart<Record<string, Role>>,
  { managesKeys }: { managesKeys: boolean },
): PartPlan {
  const { members = [], invitations = [] } = state ?? {};
  // New owners first: the last owner cannot get another role.
  const wanted = Object.entries(entry).toSorted(
    ([, one], [, other]) => Number(other === 'owner') - Number(one === 'owner'),
  );
  const parts = wanted.map(([name, role]) => {
    const { member, problem } = memberNamed(name, entry, members);
    if (problem !== undefined) return problemPart(['accounts', account, 'members', name], problem);
    if (member) return planRole({ account, name, role, member });
    const invited = invitations.find((invitation) => invitation.email === name);
    if (invited?.role === role) return unchangedPart;
    return stepPart(invitation({ account, email: name, role, invited }));
  });
  const extraMembers = members.filter((member) => !namesMember(entry, member));
  const extraInvitations = invitations.filter(({ email }) => !Object.hasOwn(entry, email));
  return joinParts([
    ...parts,
    ...extraInvitations.map((invitation) => extraPart(withdrawal(account, invitation))),
    ...extraMembers.map((member) => extraPart(removal(account, member, managesKeys))),
  ]);
}

interface WantedRole {
  account: string;
  /** The entry of the document: an e-mail address or a user id. */
  name: string;
  role: Role;
  member: Member;
}

/** An e-mail address is not verified: another person may have joined with it. It gives an existing member no rights. */
function planRole({ account, name, role, member }: WantedRole): PartPlan {
  if (member.role === role) return unchangedPart;
  if (name === member.userId || hasRole(member, role)) return stepPart(roleChange(account, member, role));
  return problemPart(
    ['accounts', account, 'members', name],
    `cannot become ${role}: ${member.userId} has joined as ${member.role}, and the address is not verified; check who it is, then change the role by hand, or name the user id instead of the address`,
  );
}

const roleChange = (account: string, { userId, email, role: from }: Member, role: Role): PlanStep =>
  callStep(
    { action: 'change', account, subject: `member ${email}`, changes: [{ name: 'role', from, to: role }] },
    'changeMember',
    () => ({ userId, role }),
  );

interface WantedInvitation {
  account: string;
  email: string;
  role: Role;
  invited: Invitation | undefined;
}

/** A new invitation replaces the previous one. */
const invitation = ({ account, email, role, invited }: WantedInvitation): PlanStep => ({
  action: invited ? 'change' : 'create',
  account,
  subject: `invitation of ${email}`,
  changes: [{ name: 'role', from: invited?.role, to: role }],
  returns: 'invitation',
  async run(context) {
    const { url } = await context.manage('invite', { email, role }, accountIdOf(context, account));
    return url === undefined ? undefined : { account, kind: 'invitation', name: email, text: url };
  },
});

const withdrawal = (account: string, { id, email }: Invitation): PlanStep =>
  deletionStep({ account, subject: `invitation of ${email}` }, 'withdrawInvitation', () => ({ id }));

/** Where the document manages keys, it decides which keys remain. Otherwise they end with the membership. */
const removal = (account: string, { userId, email }: Member, keepsKeys: boolean): PlanStep =>
  deletionStep({ account, subject: `member ${email}` }, 'removeMember', () => ({
    userId,
    ...(keepsKeys && { keepKeys: 'true' }),
  }));
