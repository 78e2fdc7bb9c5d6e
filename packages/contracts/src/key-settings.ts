import { z } from 'zod';
import { budgetSchema, knownBudgetSchema } from './budget.ts';
import { knownLimitsSchema, limitsSchema } from './caller.ts';

/** No control characters, nothing that turns the line of a log or a terminal around it. */
export const nameSchema = z
  .string()
  .min(1)
  .max(100)
  .regex(/^[^\p{Cc}\p{Cs}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]+$/u, 'must not contain control characters')
  .refine((name) => name.trim() !== '', 'must not be blank');

const yearSeconds = 31_536_000;

/** 0 is never. */
export const cacheTtlSchema = z
  .int()
  .min(0)
  .max(yearSeconds)
  .refine((seconds) => seconds === 0 || seconds >= 10, 'must be 0 (never) or from 10 seconds to one year (31536000)');

const ids = (most: number) => z.array(z.string().min(1).max(200)).max(most);

/** One address or a range of them, of either family. */
const addressRangeSchema = z
  .union(
    [z.cidrv4(), z.cidrv6(), z.ipv4(), z.ipv6()],
    'must be an address or a range such as 203.0.113.0/24 or 2001:db8::/32',
  )
  .transform((range) => (range.includes('/') ? range : `${range}/${range.includes(':') ? 128 : 32}`));

const settings = z.object({
  /** ISO 8601 with a time zone. */
  expiresAt: z.iso.datetime({ offset: true }),
  /** Models it may ask for; without the list, all. */
  allowedModels: ids(1000),
  allowedProviders: ids(100),
  /** Where its requests may come from; without the list, anywhere. */
  allowedAddresses: z.array(addressRangeSchema).min(1).max(100),
  limits: limitsSchema,
  budget: budgetSchema,
  cacheTtlSeconds: cacheTtlSchema,
});

const { shape } = settings;

/** What a key is made with. What is left out does not apply. */
export const newKeySchema = z.strictObject({
  name: nameSchema,
  /** May use the management API. */
  admin: z.boolean().optional(),
  ...settings.partial().shape,
});

export type NewKey = z.infer<typeof newKeySchema>;

/** What is left out stays, `null` takes it away. */
export const keyChangesSchema = z.strictObject({
  name: nameSchema.optional(),
  expiresAt: shape.expiresAt.nullish(),
  allowedModels: shape.allowedModels.nullish(),
  allowedProviders: shape.allowedProviders.nullish(),
  allowedAddresses: shape.allowedAddresses.nullish(),
  limits: shape.limits.nullish(),
  budget: shape.budget.nullish(),
  cacheTtlSeconds: shape.cacheTtlSeconds.nullish(),
});

export type KeyChanges = z.infer<typeof keyChangesSchema>;

/** What is known of a key by everybody but its holder. */
export const apiKeySchema = z.object({
  id: z.string(),
  name: z.string(),
  /** The first characters, for people to recognise it by. */
  prefix: z.string(),
  createdAt: z.string(),
  /** Who made it; absent for keys of commands and of the start. */
  userId: z.string().optional(),
  admin: z.literal(true).optional(),
  ...settings.extend({ limits: knownLimitsSchema, budget: knownBudgetSchema }).partial().shape,
  revokedAt: z.string().optional(),
  /** To about half a minute. */
  lastUsedAt: z.string().optional(),
  /** Until then the text before the last rotation works too. */
  previousWorksUntil: z.string().optional(),
});

export type ApiKey = z.infer<typeof apiKeySchema>;
