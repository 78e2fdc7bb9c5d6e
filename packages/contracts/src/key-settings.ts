import { z } from 'zod';
import { budgetSchema, knownBudgetSchema } from './budget.ts';
import { knownLimitsSchema, limitsSchema } from './caller.ts';
import { guardrailsSchema, knownGuardrailsSchema } from './guardrails.ts';
import { promptCachingSchema } from './prompt-caching.ts';

/** Excludes control characters, line separators and bidirectional overrides: they would garble logs and terminals. */
export const nameSchema = z
  .string()
  .min(1)
  .max(100)
  .regex(/^[^\p{Cc}\p{Cs}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]+$/u, 'must not contain control characters')
  .refine((name) => name.trim() !== '', 'must not be blank');

const yearSeconds = 31_536_000;

/** 0 means never. */
export const cacheTtlSchema = z
  .int()
  .min(0)
  .max(yearSeconds)
  .refine((seconds) => seconds === 0 || seconds >= 10, 'must be 0 (never) or from 10 seconds to one year (31536000)');

const ids = (most: number) => z.array(z.string().min(1).max(200)).max(most);

/** An IPv4 or IPv6 address or CIDR range. A single address becomes a range of one. */
const addressRangeSchema = z
  .union(
    [z.cidrv4(), z.cidrv6(), z.ipv4(), z.ipv6()],
    'must be an address or a range, for example 203.0.113.0/24 or 2001:db8::/32',
  )
  .transform((range) => (range.includes('/') ? range : `${range}/${range.includes(':') ? 128 : 32}`));

const tierName = z.string().regex(/^[a-z][a-z0-9_]{0,39}$/, 'must be the name of a service tier, such as priority');

export const allowedTiersSchema = z.array(tierName).max(20);

const settings = z.object({
  /** ISO 8601 with a time zone. */
  expiresAt: z.iso.datetime({ offset: true }),
  /** The project whose limits and budget also apply; none when absent. */
  projectId: z.string().min(1).max(100),
  /** Models the key may use; all when absent. */
  allowedModels: ids(1000),
  allowedProviders: ids(100),
  /** Service tiers besides the standard one that its requests may ask for; all when absent. */
  allowedTiers: allowedTiersSchema,
  /** Registered MCP servers (`docs`) and single tools of theirs (`docs__search`) the key may use; all when absent. */
  allowedMcpTools: ids(100),
  /** Addresses from which its requests are accepted; any when absent. */
  allowedAddresses: z.array(addressRangeSchema).min(1).max(100),
  limits: limitsSchema,
  budget: budgetSchema,
  /** The budget of each end user of the key. */
  endUserBudget: budgetSchema,
  cacheTtlSeconds: cacheTtlSchema,
  promptCaching: promptCachingSchema,
  /** They only add to those of the account. */
  guardrails: guardrailsSchema,
});

const { shape } = settings;

/** The settings of a new key. A missing setting does not apply. */
export const newKeySchema = z.strictObject({
  name: nameSchema,
  /** Whether the key may use the management API. */
  admin: z.boolean().optional(),
  ...settings.partial().shape,
});

export type NewKey = z.infer<typeof newKeySchema>;

/** Changes to a key: missing members keep their value, `null` removes it. */
export const keyChangesSchema = z.strictObject({
  name: nameSchema.optional(),
  expiresAt: shape.expiresAt.nullish(),
  projectId: shape.projectId.nullish(),
  allowedModels: shape.allowedModels.nullish(),
  allowedProviders: shape.allowedProviders.nullish(),
  allowedTiers: shape.allowedTiers.nullish(),
  allowedMcpTools: shape.allowedMcpTools.nullish(),
  allowedAddresses: shape.allowedAddresses.nullish(),
  limits: shape.limits.nullish(),
  budget: shape.budget.nullish(),
  endUserBudget: shape.endUserBudget.nullish(),
  cacheTtlSeconds: shape.cacheTtlSeconds.nullish(),
  promptCaching: shape.promptCaching.nullish(),
  guardrails: shape.guardrails.nullish(),
});

export type KeyChanges = z.infer<typeof keyChangesSchema>;

/** A key without its text. */
export const apiKeySchema = z.object({
  id: z.string(),
  name: z.string(),
  /** The first characters of its text, so that people recognise it. */
  prefix: z.string(),
  createdAt: z.string(),
  /** The user who created it; absent for keys created by a command or at start-up. */
  userId: z.string().optional(),
  admin: z.literal(true).optional(),
  /** The key with which its user uses the playground. It has no text. */
  playground: z.literal(true).optional(),
  ...settings
    .extend({
      limits: knownLimitsSchema,
      budget: knownBudgetSchema,
      endUserBudget: knownBudgetSchema,
      guardrails: knownGuardrailsSchema,
    })
    .partial().shape,
  revokedAt: z.string().optional(),
  /** Accurate to about half a minute. */
  lastUsedAt: z.string().optional(),
  /** Until when the previous text, from before the last rotation, also works. */
  previousWorksUntil: z.string().optional(),
});

export type ApiKey = z.infer<typeof apiKeySchema>;
