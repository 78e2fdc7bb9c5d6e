import { z } from 'zod';
import type { ApiOperations } from '../api/operation.ts';
import { emailSchema } from '../users/email.ts';
import { roleSchema } from './member-operations.ts';

export const invitationSchema = z.object({
  id: z.string(),
  email: z.string(),
  role: roleSchema,
  createdAt: z.string(),
  expiresAt: z.string(),
  /** Only in the answer that makes it: whoever has the address can accept, once. */
  url: z.string().optional(),
});

export type Invitation = z.infer<typeof invitationSchema>;

export const invitationOperations = {
  listInvitations: {
    method: 'GET',
    path: '/invitations',
    summary: 'Invitations that wait to be accepted.',
    access: 'admin',
    input: z.strictObject({}),
    output: z.object({ invitations: z.array(invitationSchema) }),
  },
  invite: {
    method: 'POST',
    path: '/invitations',
    summary: 'Invites somebody: hand the address in the answer on to them. A new invitation replaces the one before.',
    access: 'admin',
    input: z.strictObject({ email: emailSchema, role: roleSchema.default('member') }),
    output: invitationSchema,
    status: 201,
    example: { summary: 'A colleague', value: { email: 'grace@example.com', role: 'admin' } },
  },
  withdrawInvitation: {
    method: 'DELETE',
    path: '/invitations/{id}',
    summary: 'Takes an invitation back.',
    access: 'admin',
    input: z.strictObject({ id: z.string().min(1).max(100) }),
    output: z.object({ withdrawn: z.boolean() }),
  },
} as const satisfies ApiOperations;
