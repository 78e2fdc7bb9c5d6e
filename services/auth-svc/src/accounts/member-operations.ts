import { z } from 'zod';
import type { ApiOperations } from '../api/operation.ts';

export const roleSchema = z.enum(['owner', 'admin', 'member']);

export const memberSchema = z.object({
  userId: z.string(),
  email: z.string(),
  role: roleSchema,
  joinedAt: z.string(),
});

export type Member = z.infer<typeof memberSchema>;

export const passwordLinkSchema = z.object({
  userId: z.string(),
  email: z.string(),
  expiresAt: z.string(),
  /** Only in this answer: whoever has the address can choose the password. */
  url: z.string(),
});

export type PasswordLink = z.infer<typeof passwordLinkSchema>;

const userId = { userId: z.string().min(1).max(100) };

/** People come in by invitation. */
export const memberOperations = {
  listMembers: {
    method: 'GET',
    path: '/members',
    summary: 'Who belongs to the account.',
    access: 'member',
    input: z.strictObject({}),
    output: z.object({ members: z.array(memberSchema) }),
  },
  changeMember: {
    method: 'PATCH',
    path: '/members/{userId}',
    summary:
      "Changes somebody's role. Only owners make owners, and one owner always stays. Admin keys they made end with the role that let them.",
    access: 'admin',
    input: z.strictObject({ ...userId, role: roleSchema }),
    output: memberSchema,
  },
  removeMember: {
    method: 'DELETE',
    path: '/members/{userId}',
    summary:
      'Takes somebody, or oneself, out of the account. What they allowed applications ends, and so do the keys they made, unless an admin says keepKeys=true: all but admin keys then stay, as keys of the account.',
    access: 'member',
    input: z.strictObject({ ...userId, keepKeys: z.stringbool().default(false) }),
    output: z.object({ removed: z.boolean() }),
  },
  makePasswordLink: {
    method: 'POST',
    path: '/members/{userId}/password-link',
    summary:
      'Makes a link with which a member chooses a new password, once, within a day: hand it on to them. It signs them out everywhere else. For members of several accounts only operators make one.',
    access: 'admin',
    input: z.strictObject(userId),
    output: passwordLinkSchema,
    status: 201,
  },
} as const satisfies ApiOperations;
