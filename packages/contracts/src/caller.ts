import { z } from 'zod';
import { principalSchema } from './principal.ts';

/** The kinds of request. Each has its own limit. */
export const requestKinds = ['chat', 'images', 'models', 'mcp'] as const;
export type RequestKind = (typeof requestKinds)[number];

const limit = z.int().min(0).max(1_000_000_000);

/**
 * Limits of one key, of one project or of one account with all their keys. 0 means no limit. A missing member means the
 * operator's default; projects have none.
 */
export const limitsSchema = z.strictObject({
  requestsPerMinute: z
    .strictObject({ chat: limit.optional(), images: limit.optional(), models: limit.optional(), mcp: limit.optional() })
    .optional(),
  tokensPerMinute: limit.optional(),
  /** Maximum number of simultaneous requests. The default is of accounts only. */
  concurrency: limit.optional(),
});

export type Limits = z.infer<typeof limitsSchema>;

/**
 * Limits stored or sent by another version: unknown limits are dropped, because a request must not fail over them.
 * People who set one get an error from `limitsSchema`.
 */
export const knownLimitsSchema = limitsSchema
  .extend({ requestsPerMinute: limitsSchema.shape.requestsPerMinute.unwrap().strip().optional() })
  .strip();

/** Everything edge needs to know about a key or an OAuth token. Only the principal is passed on to the services. */
export const callerSchema = z.object({
  principal: principalSchema,
  /** When it expires. No cache may keep it longer. */
  expiresAt: z.string().optional(),
  /** CIDR ranges from which requests are accepted; absent means any address. */
  allowedAddresses: z.array(z.string()).optional(),
  limits: z.object({
    key: knownLimitsSchema.optional(),
    project: knownLimitsSchema.optional(),
    account: knownLimitsSchema.optional(),
  }),
  /** OAuth tokens only: the part of the API it was issued for, and its scopes there. */
  oauth: z.object({ resource: z.enum(['mcp', 'v1']), scopes: z.array(z.string()) }).optional(),
});

export type Caller = z.infer<typeof callerSchema>;
