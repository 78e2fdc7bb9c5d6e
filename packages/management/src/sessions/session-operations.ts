import { roleSchema } from '@tallyport/contracts';
import { z } from 'zod';
import type { ApiOperations } from '../operation.ts';
import { emailSchema } from '../users/email.ts';
import { newPasswordSchema } from '../users/password-schema.ts';

const sessionSchema = z.object({
  userId: z.string(),
  email: z.string(),
  /** Send it in the header x-csrf-token of calls that change something. */
  csrfToken: z.string(),
  /** Select one with the header x-tallyport-account; the first is the default. */
  accounts: z.array(z.object({ accountId: z.string(), accountName: z.string(), role: roleSchema })),
});

const password = z.string().max(1000);

export const sessionOperations = {
  readSession: {
    method: 'GET',
    path: '/session',
    summary: 'Returns the signed-in user.',
    access: 'anyone',
    input: z.strictObject({}),
    output: sessionSchema,
  },
  signIn: {
    method: 'POST',
    path: '/session',
    summary: 'Signs in with e-mail and password. The session is stored in a cookie that scripts cannot read.',
    access: 'anyone',
    input: z.strictObject({ email: emailSchema, password }),
    output: sessionSchema,
    status: 201,
  },
  signOut: {
    method: 'DELETE',
    path: '/session',
    summary: 'Signs out; with everywhere=true in all browsers.',
    access: 'anyone',
    input: z.strictObject({ everywhere: z.stringbool().default(false) }),
    output: z.object({ signedOut: z.boolean() }),
  },
  changePassword: {
    method: 'POST',
    path: '/password',
    summary:
      'Changes the password and signs out everywhere else; disconnectApplications also ends the access of applications.',
    access: 'anyone',
    input: z.strictObject({
      current: password,
      new: newPasswordSchema,
      disconnectApplications: z.boolean().default(false),
    }),
    output: sessionSchema,
  },
} as const satisfies ApiOperations;
