import { mcpScopes } from '@tallyport/contracts';
import { z } from 'zod';
import type { Parameter } from '@tallyport/endpoints';
import type { DescribedOperation } from '../operation.ts';

const json = 'application/json';
const form = 'application/x-www-form-urlencoded';
const scope = z.string().describe(`Space-separated, out of ${mcpScopes.join(' ')}. Default: all of them.`);
const resource = z.url().describe("The resource the token is for: the gateway's address with /mcp or /v1.");

const oauthErrorSchema = z.looseObject({ error: z.string(), error_description: z.string().optional() });

const query = (name: string, description: string, schema: z.ZodType = z.string()): Parameter => ({
  name,
  description,
  schema,
  in: 'query',
});

const tokenRequestSchema = z.looseObject({
  grant_type: z.enum(['authorization_code', 'refresh_token', 'client_credentials']),
  code: z.string().optional(),
  redirect_uri: z.string().optional(),
  code_verifier: z.string().optional(),
  refresh_token: z.string().optional(),
  client_id: z.string().optional(),
  client_secret: z.string().optional().describe('Or use client_secret_basic, in the Authorization header.'),
  scope: scope.optional(),
  resource: resource.optional(),
});

const tokenSchema = z.looseObject({
  access_token: z.string(),
  token_type: z.string(),
  expires_in: z.int(),
  refresh_token: z.string().optional(),
  scope: z.string().optional(),
});

const registrationSchema = z.looseObject({
  client_name: z.string().optional(),
  redirect_uris: z.array(z.string()).optional(),
  grant_types: z.array(z.string()).optional(),
  response_types: z.array(z.string()).optional(),
  token_endpoint_auth_method: z.string().optional(),
  scope: scope.optional(),
});

const registeredSchema = registrationSchema.extend({ client_id: z.string(), client_secret: z.string().optional() });

const refused = { description: 'An OAuth error.', content: { [json]: { schema: oauthErrorSchema } } };
const clientToken = z.looseObject({ token: z.string(), client_id: z.string().optional() });
const metadata = z.looseObject({ issuer: z.string().optional(), resource: z.string().optional() });

export const oauthOperations: readonly DescribedOperation[] = [
  {
    id: 'authorize',
    method: 'GET',
    path: '/oauth/authorize',
    tag: 'OAuth',
    summary: 'Asks a user, in a browser, to authorize an application.',
    description: 'Authorization code with PKCE (S256). The user signs in and is asked every time.',
    access: 'open',
    parameters: [
      query('client_id', 'The id of a registered client, or the https URL of a client metadata document.'),
      query('response_type', 'code', z.literal('code')),
      query('redirect_uri', 'Where the user is redirected afterwards.'),
      query('code_challenge', 'The PKCE challenge.'),
      query('code_challenge_method', 'S256', z.literal('S256').optional()),
      query('state', 'Returned unchanged.', z.string().optional()),
      query('scope', 'The requested scopes.', scope.optional()),
      query('resource', 'The resource the token is for.', resource.optional()),
    ],
    answers: {
      303: { description: 'Redirect to the sign-in and consent page, or back to the client.' },
      400: refused,
    },
    failures: [],
  },
  {
    id: 'token',
    method: 'POST',
    path: '/oauth/token',
    tag: 'OAuth',
    summary: 'Issues a token for a code, a refresh token or client credentials.',
    description:
      'Access tokens last an hour and are opaque. Each use replaces the refresh token; reuse of an old one revokes all its tokens.',
    access: 'oauth',
    body: { [form]: { schema: tokenRequestSchema } },
    answers: {
      200: { description: 'The token.', content: { [json]: { schema: tokenSchema } } },
      400: refused,
      401: refused,
      429: refused,
    },
    failures: [],
  },
  {
    id: 'registerClient',
    method: 'POST',
    path: '/oauth/register',
    tag: 'OAuth',
    summary: 'Registers a client (RFC 7591).',
    description:
      'For client credentials, send an admin API key as the bearer token: the client then acts for its account.',
    access: 'open',
    body: {
      [json]: {
        schema: registrationSchema,
        examples: {
          public: {
            summary: "A program on its user's machine",
            value: {
              client_name: 'My tool',
              redirect_uris: ['http://127.0.0.1/callback'],
              token_endpoint_auth_method: 'none',
            },
          },
        },
      },
    },
    answers: {
      201: { description: 'The client.', content: { [json]: { schema: registeredSchema } } },
      400: refused,
      429: refused,
    },
    failures: [],
  },
  {
    id: 'revokeToken',
    method: 'POST',
    path: '/oauth/revoke',
    tag: 'OAuth',
    summary: "Revokes one of the client's tokens (RFC 7009).",
    access: 'oauth',
    body: { [form]: { schema: clientToken } },
    answers: { 200: { description: 'The token is revoked, or did not exist.' }, 400: refused, 401: refused },
    failures: [],
  },
  {
    id: 'introspectToken',
    method: 'POST',
    path: '/oauth/introspect',
    tag: 'OAuth',
    summary: "Describes one of the client's tokens (RFC 7662).",
    access: 'oauth',
    body: { [form]: { schema: clientToken } },
    answers: {
      200: {
        description: 'Whether the token is active, and its details.',
        content: { [json]: { schema: z.looseObject({ active: z.boolean() }) } },
      },
      400: refused,
      401: refused,
    },
    failures: [],
  },
  ...[
    ['/.well-known/oauth-authorization-server', 'Returns the metadata of the OAuth server (RFC 8414).'],
    ['/.well-known/oauth-protected-resource/mcp', 'Returns the metadata of the protected resource /mcp (RFC 9728).'],
  ].map(([path = '', summary = '']): DescribedOperation => ({
    id: path.endsWith('server') ? 'describeOAuthServer' : 'describeMcpResource',
    method: 'GET',
    path,
    summary,
    tag: 'OAuth',
    access: 'open',
    answers: { 200: { description: 'The description.', content: { [json]: { schema: metadata } } } },
    failures: [],
  })),
];
