import { budgetSchema, limitsSchema } from '@tallyport/contracts';
import { z } from 'zod';
import type { Sent } from '../sent.ts';
import { ownSumsSchema } from './own-sums.ts';

const dollars = z.string().describe('USD, as a decimal string.');

const usageSince = z.object({
  from: z.iso.datetime(),
  ...ownSumsSchema.shape,
  models: z.array(z.object({ model: z.string(), ...ownSumsSchema.shape })),
});

/** The answer of `GET /v1/usage`. */
export const ownUsageSchema = z.object({
  object: z.literal('usage'),
  key_id: z.string(),
  today: usageSince.describe('The current day in UTC.'),
  month: usageSince,
});

export type OwnUsage = Sent<typeof ownUsageSchema>;

const { amount, period } = budgetSchema.shape;
const named = z.object({ id: z.string(), name: z.string() });

/** The answer of `GET /v1/key`. */
export const ownKeySchema = z.object({
  object: z.literal('key'),
  id: z.string(),
  name: z.string().optional(),
  prefix: z.string().optional(),
  created_at: z.iso.datetime().optional(),
  project: named.optional(),
  account: named,
  expires_at: z.string().nullable(),
  allowed_models: z.array(z.string()).nullable(),
  allowed_providers: z.array(z.string()).nullable(),
  allowed_tiers: z.array(z.string()).nullable(),
  allowed_mcp_tools: z.array(z.string()).nullable(),
  limits: z.object({
    key: limitsSchema.nullable(),
    project: limitsSchema.nullable().optional(),
    account: limitsSchema.nullable(),
  }),
  budgets: z.array(
    z.object({
      scope: z.enum(['key', 'project', 'account']),
      amount,
      period,
      spent: dollars,
      left: dollars,
      resets_at: z.iso.datetime().nullable(),
    }),
  ),
});

export type OwnKey = Sent<typeof ownKeySchema>;
