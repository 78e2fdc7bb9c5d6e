import { roleSchema } from '@tallyport/contracts';
import { z } from 'zod';
import type { ApiOperations } from '../operation.ts';

const memberSchema = z.object({
  userId: z.string(),
  email: z.string(),
  role: roleSchema,
  joinedAt: z.string(),
});

export type Member = z.infer<typeof memberSchema>;

const passwordLinkSchema = z.object({
  userId: z.string(),
  email: z.string(),
  expiresAt: z.string(),
  /** Only in this response. Anyone who has the link can choose the password. */
  url: z.string(),
});

export type PasswordLink = z.infer<typeof passwordLinkSchema>;

const userId = { userId: z.string().min(1).max(100) };

const memberQuerySchema = z.strictObject({
  search: z.string().min(1).max(100).optional(),
  limit: z.coerce.number().int().min(1).max(1_000).optional(),
  cursor: userId.userId.optional(),
});

/** Which members to list. */
export type MemberQuery = z.output<typeof memberQuerySchema>;

/** New members join by invitation. */
export const memberOperations = {
  listMembers: {
    method: 'GET',
    path: '/members',
    summary:
      'Lists the members of the account, by default all of them, oldest first. search finds a part of the e-mail address; with a limit, pass nextCursor to read on.',
    access: 'member',
    input: memberQuerySchema,
    output: z.object({ members: z.array(memberSchema), nextCursor: z.string().optional() }),
  },
  changeMember: {
    method: 'PATCH',
    path: '/members/{userId}',
    summary:
      "Changes a member's role. Only owners can appoint owners, and one owner always remains; a member who loses the admin role loses the admin keys they created.",
    access: 'admin',
    input: z.strictObject({ ...userId, role: roleSchema }),
    output: memberSchema,
  },
  removeMember: {
    method: 'DELETE',
    path: '/members/{userId}',
    summary:
      'Removes a member, or yourself, from the account. Their keys and application grants end; with keepKeys=true, which needs an admin, their keys other than admin keys stay with the account.',
    access: 'member',
    input: z.strictObject({ ...userId, keepKeys: z.stringbool().default(false) }),
    output: z.object({ removed: z.boolean() }),
  },
  makePasswordLink: {
    method: 'POST',
    path: '/members/{userId}/password-link',
    summary:
      'Creates a link with which a member can choose a new password, once, within a day: send it to them. Using it signs them out everywhere else; for members of several accounts only operators can create one.',
    access: 'admin',
    input: z.strictObject(userId),
    output: passwordLinkSchema,
    status: 201,
  },
} as const satisfies ApiOperations;
