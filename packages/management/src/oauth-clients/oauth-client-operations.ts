import { nameSchema } from '@tallyport/contracts';
import { z } from 'zod';
import type { ApiOperations } from '../operation.ts';

const redirectUri = z
  .url('must be a URL')
  .max(2_000)
  .refine((text) => text.startsWith('https:'), 'must begin with https://');

const clientSchema = z.object({
  id: z.string(),
  name: z.string(),
  redirectUris: z.array(z.string()),
  createdAt: z.string(),
  /** Accurate to half a minute; absent until a token of the client is used. */
  lastUsedAt: z.string().optional(),
});

export type OAuthClient = z.infer<typeof clientSchema>;

const grantSchema = z.object({
  id: z.string(),
  clientId: z.string(),
  /** Absent for applications whose id is the URL of their metadata. */
  clientName: z.string().optional(),
  userId: z.string(),
  createdAt: z.string(),
});

export type OAuthGrant = z.infer<typeof grantSchema>;

const id = z.string().min(1).max(300);

export const oauthOperations = {
  listOAuthClients: {
    method: 'GET',
    path: '/oauth-clients',
    summary: 'Lists the OAuth clients that act for the account without a user.',
    access: 'admin',
    input: z.strictObject({}),
    output: z.object({ clients: z.array(clientSchema) }),
  },
  createOAuthClient: {
    method: 'POST',
    path: '/oauth-clients',
    summary:
      'Creates an OAuth client for client credentials, and with redirect addresses also for users to sign in. The secret is only in this response.',
    access: 'admin',
    input: z.strictObject({ name: nameSchema, redirectUris: z.array(redirectUri).max(20).default([]) }),
    output: z.object({ secret: z.string(), client: clientSchema }),
    status: 201,
    example: { summary: 'A client for client credentials', value: { name: 'Nightly report' } },
  },
  deleteOAuthClient: {
    method: 'DELETE',
    path: '/oauth-clients/{id}',
    summary: 'Deletes an OAuth client and revokes all its tokens at once.',
    access: 'admin',
    input: z.strictObject({ id }),
    output: z.object({ deleted: z.boolean() }),
  },
  listOAuthGrants: {
    method: 'GET',
    path: '/oauth-grants',
    summary: 'Lists the applications that users allowed to act for them in this account. Members see their own.',
    access: 'member',
    input: z.strictObject({}),
    output: z.object({ grants: z.array(grantSchema) }),
  },
  deleteOAuthGrant: {
    method: 'DELETE',
    path: '/oauth-grants/{id}',
    summary: 'Ends the access of an application and revokes its tokens at once.',
    access: 'member',
    input: z.strictObject({ id }),
    output: z.object({ deleted: z.boolean() }),
  },
} as const satisfies ApiOperations;
