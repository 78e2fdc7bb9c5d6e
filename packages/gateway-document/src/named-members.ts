import { emailSchema, type Member } from '@tallyport/management';
import { z } from 'zod';

const userIdSchema = z.string().regex(/^user_[0-9a-f]{32}$/);

/** How a document names a member. Addresses are not verified and may be shared; user ids are unique. */
export const memberNameSchema = z.union([userIdSchema, emailSchema], 'must be an e-mail address or a user id');

const isUserId = (name: string): boolean => userIdSchema.safeParse(name).success;

type Person = Pick<Member, 'userId' | 'email'>;

/** Whether the section has an entry for the member. */
export const namesMember = (entry: object, { userId, email }: Person): boolean =>
  Object.hasOwn(entry, userId) || Object.hasOwn(entry, email);

interface NamedMember {
  member?: Member | undefined;
  problem?: string;
}

/** The member of the account with this e-mail address or user id. `entry` is the section with the name. */
export function memberNamed(name: string, entry: object, members: readonly Member[]): NamedMember {
  if (isUserId(name)) {
    const member = members.find(({ userId }) => userId === name);
    return member ? { member } : { problem: 'is not the user id of a member of the account' };
  }
  const [member, ...others] = members.filter(({ email }) => email === name);
  if (others.length > 0) return { problem: 'belongs to several members; name each by user id' };
  if (member && Object.hasOwn(entry, member.userId)) {
    return { problem: `is the address of ${member.userId}, which has an entry of its own` };
  }
  return { member };
}
