import { z } from 'zod';

/** Separates the name of a registered MCP server from the name of its tool: `docs__search`. Server names lack it. */
export const toolNameSeparator = '__';

/** How the gateway authenticates at an MCP server that an account registered, with the secret in plain text. */
const mcpServerAuthSchema = z.union([
  z.object({ type: z.literal('none') }),
  z.object({ type: z.literal('header'), name: z.string(), value: z.string() }),
  z.object({
    type: z.literal('client_credentials'),
    tokenUrl: z.string(),
    clientId: z.string(),
    clientSecret: z.string(),
    scope: z.string().optional(),
    /** Names the server to an authorization server that serves several (RFC 8707). */
    resource: z.string().optional(),
  }),
]);

export type McpServerAuth = z.infer<typeof mcpServerAuthSchema>;

/** An MCP server whose tools are offered to the account that registered it. */
export const mcpServerSchema = z.object({
  id: z.string(),
  /** The prefix of its tools. */
  name: z.string(),
  url: z.string(),
  auth: mcpServerAuthSchema,
});

export type McpServer = z.infer<typeof mcpServerSchema>;

/** What listing the tools of a server gave. */
export const mcpServerTestSchema = z.object({
  durationMs: z.number().min(0),
  /** As clients see them. */
  tools: z.array(z.object({ name: z.string(), title: z.string(), description: z.string() })).optional(),
  /** The number of tools that are beyond our bounds and not offered. */
  leftOut: z.int().min(0).optional(),
  /** Why there are no tools. */
  error: z.object({ code: z.string(), message: z.string() }).optional(),
});

export type McpServerTest = z.infer<typeof mcpServerTestSchema>;

/** Whether a tool (`docs__search`), or all tools of a server (`docs`), are in a list of allowed servers and tools. */
export const isToolAllowed = (name: string, allowed: readonly string[]): boolean =>
  allowed.includes(name) || allowed.includes(name.split(toolNameSeparator, 1)[0] ?? '');
