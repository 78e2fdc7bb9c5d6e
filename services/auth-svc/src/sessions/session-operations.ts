import { z } from 'zod';
import { roleSchema } from '../accounts/member-operations.ts';
import type { ApiOperations } from '../api/operation.ts';
import { emailSchema } from '../users/email.ts';
import { newPasswordSchema } from '../users/password-schema.ts';

const sessionSchema = z.object({
  userId: z.string(),
  email: z.string(),
  /** For the header x-csrf-token of calls that change something. */
  csrfToken: z.string(),
  /** Name one of them in the header x-switchyard-account; without it the first is meant. */
  accounts: z.array(z.object({ accountId: z.string(), accountName: z.string(), role: roleSchema })),
});

const password = z.string().max(1000);

export const sessionOperations = {
  readSession: {
    method: 'GET',
    path: '/session',
    summary: 'Who is signed in.',
    access: 'anyone',
    input: z.strictObject({}),
    output: sessionSchema,
  },
  signIn: {
    method: 'POST',
    path: '/session',
    summary: 'Signs in with e-mail and password. The session is in a cookie that scripts cannot read.',
    access: 'anyone',
    input: z.strictObject({ email: emailSchema, password }),
    output: sessionSchema,
    status: 201,
  },
  signOut: {
    method: 'DELETE',
    path: '/session',
    summary: 'Signs out; with everywhere=true in every browser.',
    access: 'anyone',
    input: z.strictObject({ everywhere: z.stringbool().default(false) }),
    output: z.object({ signedOut: z.boolean() }),
  },
  changePassword: {
    method: 'POST',
    path: '/password',
    summary: 'Changes the password and signs out everywhere else.',
    access: 'anyone',
    input: z.strictObject({ current: password, new: newPasswordSchema }),
    output: sessionSchema,
  },
} as const satisfies ApiOperations;
