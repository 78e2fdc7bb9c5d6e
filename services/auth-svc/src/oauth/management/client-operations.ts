import { nameSchema } from '@switchyard/contracts';
import { z } from 'zod';
import type { ApiOperations } from '../../api/operation.ts';
import { applicationType } from '../application-type.ts';

const redirectUri = z
  .url('must be an address')
  .max(2_000)
  .refine((text) => applicationType([text]) === 'web', 'must begin with https://');

export const clientSchema = z.object({
  id: z.string(),
  name: z.string(),
  redirectUris: z.array(z.string()),
  createdAt: z.string(),
  /** To half a minute; absent while no token of its has been used. */
  lastUsedAt: z.string().optional(),
});

export type OAuthClient = z.infer<typeof clientSchema>;

export const grantSchema = z.object({
  id: z.string(),
  clientId: z.string(),
  /** Absent for applications that describe themselves at their id's address. */
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
    summary: 'OAuth clients that act for the account by themselves.',
    access: 'admin',
    input: z.strictObject({}),
    output: z.object({ clients: z.array(clientSchema) }),
  },
  createOAuthClient: {
    method: 'POST',
    path: '/oauth-clients',
    summary:
      'Makes an OAuth client for client credentials, and for people to sign in with where it has addresses to send them back to. Its secret is shown this once.',
    access: 'admin',
    input: z.strictObject({ name: nameSchema, redirectUris: z.array(redirectUri).max(20).default([]) }),
    output: z.object({ secret: z.string(), client: clientSchema }),
    status: 201,
    example: { summary: 'A client that acts by itself', value: { name: 'Nightly report' } },
  },
  deleteOAuthClient: {
    method: 'DELETE',
    path: '/oauth-clients/{id}',
    summary: 'Ends an OAuth client and every token it has, at once.',
    access: 'admin',
    input: z.strictObject({ id }),
    output: z.object({ deleted: z.boolean() }),
  },
  listOAuthGrants: {
    method: 'GET',
    path: '/oauth-grants',
    summary: 'Applications that people allowed to act for them in this account. Members see their own.',
    access: 'member',
    input: z.strictObject({}),
    output: z.object({ grants: z.array(grantSchema) }),
  },
  deleteOAuthGrant: {
    method: 'DELETE',
    path: '/oauth-grants/{id}',
    summary: 'Takes back what an application was allowed: its tokens end at once.',
    access: 'member',
    input: z.strictObject({ id }),
    output: z.object({ deleted: z.boolean() }),
  },
} as const satisfies ApiOperations;
