import { z } from 'zod';

/** Begins the names of the server's tools. Without underscores, so that `__` ends it. */
const name = z
  .string('must be a string')
  .regex(/^[a-z0-9](?:[a-z0-9-]{0,30}[a-z0-9])?$/, 'must be 1 to 32 lower-case letters, digits and inner hyphens');

const url = z.string('must be a string').min(1, 'must not be empty').max(2000, 'must have at most 2000 characters');

const secret = z
  .string('must be a string')
  .regex(/^[\x20-\x7e]{1,4096}$/, 'must be 1 to 4096 visible ASCII characters')
  .refine((text) => text === text.trim(), 'must not begin or end with a space');

/** The protocol and the connection set these headers. */
const reservedHeaders =
  /^(accept|accept-encoding|connection|content-.*|cookie|expect|host|keep-alive|last-event-id|mcp-.*|proxy-.*|te|trailer|transfer-encoding|upgrade)$/i;

const headerName = z
  .string('must be a string')
  .regex(/^[A-Za-z0-9-]{1,100}$/, 'must be 1 to 100 letters, digits and hyphens')
  .refine((header) => !reservedHeaders.test(header), 'is set by the gateway; use another header');

const text = (most: number) =>
  z
    .string('must be a string')
    .regex(/^[\x20-\x7e]+$/, 'must be visible ASCII characters')
    .max(most, `must have at most ${most} characters`);

export const mcpServerAuthInputSchema = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('none') }),
  z.strictObject({ type: z.literal('header'), name: headerName, value: secret }),
  z.strictObject({
    type: z.literal('client_credentials'),
    tokenUrl: url,
    clientId: text(500),
    clientSecret: secret,
    scope: text(1000).optional(),
    /** Sent in the token request (RFC 8707), if the authorization server expects it. */
    resource: url.optional(),
  }),
]);

export type McpServerAuthInput = z.infer<typeof mcpServerAuthInputSchema>;

export const newMcpServerSchema = z.strictObject({
  name,
  url,
  auth: mcpServerAuthInputSchema.default({ type: 'none' }),
  enabled: z.boolean('must be true or false').default(true),
});

export type NewMcpServer = z.infer<typeof newMcpServerSchema>;

/** Omitted members stay unchanged. `auth` replaces the whole authentication with its secret. */
export const mcpServerChangesSchema = z.strictObject({
  name: name.optional(),
  url: url.optional(),
  auth: mcpServerAuthInputSchema.optional(),
  enabled: z.boolean('must be true or false').optional(),
});

export type McpServerChanges = z.infer<typeof mcpServerChangesSchema>;
