import { z } from 'zod';

/** Of the secret, to recognise it; absent if it was set before these were kept. */
const lastFour = z.string().optional();

/** How the gateway authenticates at a server, without the secret. */
export const shownMcpServerAuthSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('none') }),
  z.object({ type: z.literal('header'), name: z.string(), lastFour }),
  z.object({
    type: z.literal('client_credentials'),
    tokenUrl: z.string(),
    clientId: z.string(),
    scope: z.string().optional(),
    resource: z.string().optional(),
    lastFour,
  }),
]);

export type ShownMcpServerAuth = z.infer<typeof shownMcpServerAuthSchema>;

/** A registered MCP server as callers see it. */
export const mcpServerRecordSchema = z.object({
  id: z.string(),
  /** Its tools are offered as `<name>__<tool>`. */
  name: z.string(),
  url: z.string(),
  auth: shownMcpServerAuthSchema,
  enabled: z.boolean(),
  createdAt: z.string(),
  updatedAt: z.string(),
});

export type McpServerRecord = z.infer<typeof mcpServerRecordSchema>;
