import { z } from 'zod';
import { principalSchema } from './principal.ts';

/** What requests are counted by: each kind has a limit of its own. */
export const requestKinds = ['chat', 'images', 'models', 'mcp'] as const;
export type RequestKind = (typeof requestKinds)[number];

const limit = z.int().min(0).max(1_000_000_000);

/** What one key, or one account with all its keys, may do. A member left out is the operator's default, 0 is no limit. */
export const limitsSchema = z.strictObject({
  requestsPerMinute: z
    .strictObject({ chat: limit.optional(), images: limit.optional(), models: limit.optional(), mcp: limit.optional() })
    .optional(),
  tokensPerMinute: limit.optional(),
  /** Requests running at once. */
  concurrency: limit.optional(),
});

export type Limits = z.infer<typeof limitsSchema>;

/** Limits as another version stored or sent them: people are told of a limit we do not know, a request is not refused for it. */
export const knownLimitsSchema = limitsSchema
  .extend({ requestsPerMinute: limitsSchema.shape.requestsPerMinute.unwrap().strip().optional() })
  .strip();

/** Everything the door needs to know about a key or an OAuth token. Only its principal goes on to the services. */
export const callerSchema = z.object({
  principal: principalSchema,
  /** When it ends by itself: no cache may keep it longer. */
  expiresAt: z.string().optional(),
  /** CIDR ranges its requests may come from; absent means any. */
  allowedAddresses: z.array(z.string()).optional(),
  limits: z.object({ key: knownLimitsSchema.optional(), account: knownLimitsSchema.optional() }),
  /** OAuth tokens only: which part of the API it was issued for, and what it may do there. */
  oauth: z.object({ resource: z.enum(['mcp', 'v1']), scopes: z.array(z.string()) }).optional(),
});

export type Caller = z.infer<typeof callerSchema>;
