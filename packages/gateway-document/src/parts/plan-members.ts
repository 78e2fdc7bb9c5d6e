import type { Role } from '@switchyard/contracts';
import type { Invitation, Member } from '@switchyard/management';
import type { AccountPart } from '../account-part.ts';
import { callStep, deletionStep } from '../call-step.ts';
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

/** Members are recognised by their e-mail addresses. A person who is not a member yet is invited. */
export function planMembers(
  { account, entry, state }: AccountPart<Record<string, Role>>,
  { managesKeys }: { managesKeys: boolean },
): PartPlan {
  const { members = [], invitations = [] } = state ?? {};
  // New owners first: the last owner cannot get another role.
  const wanted = Object.entries(entry).toSorted(
    ([, one], [, other]) => Number(other === 'owner') - Number(one === 'owner'),
  );
  const parts = wanted.map(([email, role]) => {
    const joined = members.filter((member) => member.email === email);
    const invited = invitations.find((invitation) => invitation.email === email);
    return planMember({ account, email, role, joined, invited });
  });
  const extraMembers = members.filter(({ email }) => !Object.hasOwn(entry, email));
  const extraInvitations = invitations.filter(({ email }) => !Object.hasOwn(entry, email));
  return joinParts([
    ...parts,
    ...extraInvitations.map((invitation) => extraPart(withdrawal(account, invitation))),
    ...extraMembers.map((member) => extraPart(removal(account, member, managesKeys))),
  ]);
}

interface WantedMember {
  account: string;
  email: string;
  role: Role;
  joined: readonly Member[];
  invited: Invitation | undefined;
}

function planMember({ account, email, role, joined, invited }: WantedMember): PartPlan {
  const [member, ...others] = joined;
  if (others.length > 0) {
    return problemPart(['accounts', account, 'members', email], 'belongs to several members; change them by hand');
  }
  if ((member ?? invited)?.role === role) return unchangedPart;
  return stepPart(member ? roleChange(account, member, role) : invitation({ account, email, role, invited }));
}

const roleChange = (account: string, { userId, email, role: from }: Member, role: Role): PlanStep =>
  callStep(
    { action: 'change', account, subject: `member ${email}`, changes: [{ name: 'role', from, to: role }] },
    'changeMember',
    () => ({ userId, role }),
  );

/** A new invitation replaces the previous one. */
const invitation = ({ account, email, role, invited }: Omit<WantedMember, 'joined'>): PlanStep => ({
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
