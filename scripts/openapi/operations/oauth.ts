import { mcpScopes } from '@switchyard/contracts';
import { z } from 'zod';
import type { DescribedOperation, Parameter } from '../operation.ts';

const json = 'application/json';
const form = 'application/x-www-form-urlencoded';
const scope = z.string().describe(`Of ${mcpScopes.join(' ')}; all of them when left out.`);
const resource = z.url().describe("What the token is for: the gateway's address with /mcp or /v1.");

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
  client_secret: z.string().optional().describe('Or client_secret_basic, in the header Authorization.'),
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

const refused = { description: "Refused, in OAuth's own words.", content: { [json]: { schema: oauthErrorSchema } } };
const ownToken = z.looseObject({ token: z.string(), client_id: z.string().optional() });
const metadata = z.looseObject({ issuer: z.string().optional(), resource: z.string().optional() });

export const oauthOperations: readonly DescribedOperation[] = [
  {
    id: 'authorize',
    method: 'GET',
    path: '/oauth/authorize',
    tag: 'OAuth',
    summary: 'Asks a person, in a browser, to let an application act for them.',
    description: 'Authorization code with PKCE (S256). The person signs in and is asked every time.',
    access: 'open',
    parameters: [
      query('client_id', 'Of a registered client, or the https address of a client that describes itself there.'),
      query('response_type', 'code', z.literal('code')),
      query('redirect_uri', 'Where the person is sent back to.'),
      query('code_challenge', 'Of PKCE.'),
      query('code_challenge_method', 'S256', z.literal('S256')),
      query('state', 'Comes back as it was.'),
      query('scope', 'What is asked for.', scope),
      query('resource', 'What the token shall be for.', resource),
    ],
    answers: {
      303: { description: 'To the page where the person signs in and is asked, or back to the client.' },
      400: refused,
    },
    failures: [],
  },
  {
    id: 'token',
    method: 'POST',
    path: '/oauth/token',
    tag: 'OAuth',
    summary: 'Gives a token for a code, for a refresh token, or for client credentials.',
    description:
      'Access tokens last an hour and are opaque. A refresh token is changed each time it is used; using an old one ends all.',
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
    description: 'For client credentials send an admin API key as bearer token: the client then acts for its account.',
    access: 'open',
    body: {
      [json]: {
        schema: registrationSchema,
        examples: {
          public: {
            summary: 'A program on the machine of its user',
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
    summary: "Ends a token of the client's own (RFC 7009).",
    access: 'oauth',
    body: { [form]: { schema: ownToken } },
    answers: { 200: { description: 'It has ended, or never was.' }, 400: refused, 401: refused },
    failures: [],
  },
  {
    id: 'introspectToken',
    method: 'POST',
    path: '/oauth/introspect',
    tag: 'OAuth',
    summary: "Says what a token of the client's own is good for (RFC 7662).",
    access: 'oauth',
    body: { [form]: { schema: ownToken } },
    answers: {
      200: {
        description: 'Whether it works.',
        content: { [json]: { schema: z.looseObject({ active: z.boolean() }) } },
      },
      400: refused,
      401: refused,
    },
    failures: [],
  },
  ...[
    ['/.well-known/oauth-authorization-server', 'The OAuth server, as data (RFC 8414).'],
    ['/.well-known/oauth-protected-resource/mcp', 'What issues tokens for /mcp (RFC 9728).'],
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
