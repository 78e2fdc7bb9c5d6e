import { roleSchema } from '@tallyport/contracts';
import { z } from 'zod';
import type { ApiOperations } from '../operation.ts';
import { emailSchema } from '../users/email.ts';

export const invitationSchema = z.object({
  id: z.string(),
  email: z.string(),
  role: roleSchema,
  createdAt: z.string(),
  expiresAt: z.string(),
  /** Only in the response that creates it. Anyone who has the link can accept the invitation, once. */
  url: z.string().optional(),
});

export type Invitation = z.infer<typeof invitationSchema>;

export const invitationOperations = {
  listInvitations: {
    method: 'GET',
    path: '/invitations',
    summary: 'Lists pending invitations.',
    access: 'admin',
    input: z.strictObject({}),
    output: z.object({ invitations: z.array(invitationSchema) }),
  },
  invite: {
    method: 'POST',
    path: '/invitations',
    summary: 'Invites a person: send them the link in the response. A new invitation replaces the previous one.',
    access: 'admin',
    input: z.strictObject({ email: emailSchema, role: roleSchema.default('member') }),
    output: invitationSchema,
    status: 201,
    example: { summary: 'A colleague', value: { email: 'grace@example.com', role: 'admin' } },
  },
  withdrawInvitation: {
    method: 'DELETE',
    path: '/invitations/{id}',
    summary: 'Withdraws an invitation.',
    access: 'admin',
    input: z.strictObject({ id: z.string().min(1).max(100) }),
    output: z.object({ withdrawn: z.boolean() }),
  },
} as const satisfies ApiOperations;
