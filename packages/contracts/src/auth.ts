import { z } from 'zod';
import { callerSchema } from './caller.ts';
import { apiKeySchema, newKeySchema } from './key-settings.ts';
import { call, exchange, journal, notice, service } from './service.ts';
import { usageRecordSchema } from './usage.ts';

const providerKeySchema = z.object({ id: z.string(), provider: z.string(), key: z.string() });

export type ProviderKey = z.infer<typeof providerKeySchema>;

/** A budget whose period began at `from` (absent: ever), and the hour from which on sums are wanted hour by hour. */
const askedBudgetSchema = z.object({
  scope: z.enum(['key', 'account']),
  id: z.string(),
  from: z.string().optional(),
  hour: z.string(),
});

export type AskedBudget = z.infer<typeof askedBudgetSchema>;

/** Dollars as decimal text. */
const spentSchema = z.object({
  before: z.string(),
  hours: z.array(z.object({ hour: z.string(), cost: z.string() })),
});

export type SpentBudget = z.infer<typeof spentSchema>;

export const authService = service('auth', {
  /**
   * Looks a key or an OAuth access token up by the SHA-256 of its text; the text itself never travels. `null` means
   * unknown, revoked or expired.
   */
  authenticate: call(z.object({ keyHash: z.string() }), z.object({ caller: callerSchema.nullable() })),
  /** The only time the key's text is shown. */
  createKey: call(newKeySchema, z.object({ key: z.string(), record: apiKeySchema })),
  listKeys: call(z.object({}), z.object({ keys: z.array(apiKeySchema) })),
  /** `false` when there is no such key. */
  revokeKey: call(z.object({ id: z.string() }), z.object({ revoked: z.boolean() })),
  /** The path where whoever has this e-mail address chooses a new password, once; `null` when nobody has it. */
  makePasswordLink: call(
    z.object({ email: z.string().max(254) }),
    z.object({ link: z.object({ path: z.string(), expiresAt: z.string() }).nullable() }),
  ),
  /** An account's own keys at the providers, in the order to try them. For dispatch, which keeps them in memory only. */
  providerKeys: call(z.object({ accountId: z.string() }), z.object({ keys: z.array(providerKeySchema) })),
  /** What was used, once for each logical request. */
  usage: journal(usageRecordSchema),
  /** `GET /v1/usage`: what the asking key used today and this month, by model. */
  ownUsage: exchange(),
  /** `GET /v1/key`: what the asking key may do, and what is left of its budgets. */
  ownKey: exchange(),
  /** What the ledger knows to be spent of budgets: before the hour named, and in each hour since. */
  budgetsSpent: call(
    z.object({ asked: z.array(askedBudgetSchema).max(1000) }),
    z.object({ spent: z.array(spentSchema) }),
  ),
  /** Whether the database answers, for `GET /`. */
  databaseStatus: call(z.object({}), z.object({ connected: z.boolean(), error: z.string().optional() })),
  /** Drop this key or token from every cache now. */
  keyRevoked: notice(z.object({ keyHash: z.string() })),
  /** What is known of this account or of any of its keys and provider keys is no longer so: drop it from every cache now. */
  accountChanged: notice(z.object({ accountId: z.string() })),
});
