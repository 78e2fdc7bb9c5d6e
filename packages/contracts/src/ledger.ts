import { z } from 'zod';
import { keptContentSchema } from './content.ts';
import { exchangesOf } from './endpoints.ts';
import { manageAnswerSchema, manageRequestSchema } from './manage.ts';
import { providerUptimesQuerySchema, providerUptimesSchema } from './provider-status.ts';
import { call, exchange, journal, service } from './service.ts';
import { recalculationQuerySchema, recalculationSchema } from './recalculation.ts';
import { reconciliationSchema } from './reconciliation.ts';
import { usageRecordSchema } from './usage.ts';
import { vendorUsageQuerySchema, vendorUsageSchema } from './vendor-usage.ts';

/**
 * A budget to report on. `from` is the start of its period; when absent, all spending ever counts. From `hour` on, the
 * sums are reported hour by hour.
 */
const budgetQuerySchema = z.object({
  scope: z.enum(['key', 'project', 'account']),
  id: z.string(),
  from: z.string().optional(),
  hour: z.string(),
  /** Only what this end user of the key or the project has spent. */
  endUser: z.object({ accountId: z.string(), name: z.string() }).optional(),
});

export type BudgetQuery = z.infer<typeof budgetQuerySchema>;

/** Dollars as decimal text: the sum before the hour of the query, and one sum per hour since. */
const spentSchema = z.object({
  before: z.string(),
  hours: z.array(z.object({ hour: z.string(), cost: z.string() })),
});

export type SpentBudget = z.infer<typeof spentSchema>;

/** What other services ask of the ledger. */
export const ledgerCalls = {
  /** The ids of those of these usage records that the ledger does not have. */
  missingUsage: call(
    z.object({ records: z.array(usageRecordSchema.pick({ id: true, at: true })).max(1000) }),
    z.object({ ids: z.array(z.string()) }),
  ),
  /**
   * Stores prompts and answers, encrypted, of accounts that keep them. They cross the bus as the requests themselves did
   * and are in no journal, which would store them as plain text.
   */
  keepContents: call(z.object({ contents: z.array(keptContentSchema).max(100) }), z.object({})),
  /** What the ledger has recorded against budgets: before the given hour, and in each hour since. */
  budgetsSpent: call(
    z.object({ asked: z.array(budgetQuerySchema).max(1000) }),
    z.object({ spent: z.array(spentSchema) }),
  ),
  /** How the providers did on the last days, for the public status page. */
  providerUptimes: call(providerUptimesQuerySchema, providerUptimesSchema),
};

export const ledgerService = service('ledger', {
  /** Its operations of the management API over HTTP, and the page that confirms an address for alerts. */
  serve: exchange(),
  /** As in auth-svc, for its operations of the management API. */
  manage: call(manageRequestSchema, manageAnswerSchema),
  /** One usage record per logical request. Its place at NATS is the one it had as a journal of auth-svc. */
  usage: journal(usageRecordSchema, { keptFor: 'auth' }),
  ...exchangesOf('ledger'),
  ...ledgerCalls,
  /** Prices some records of a day with another version of the catalogue, on paper. Fails with `not_found`. */
  recalculate: call(recalculationQuerySchema, recalculationSchema),
  /** Creates the keys and members of demo data in the first account, or in a new one if the first has usage of its own. */
  prepareDemo: call(z.object({}), z.object({ accountId: z.string() })),
  /** Writes one day of demo traffic. */
  addDemoDay: call(
    z.object({
      accountId: z.string(),
      seed: z.int().min(0).max(999_999_999),
      daysAgo: z.int().min(0).max(89),
    }),
    z.object({ requests: z.number() }),
  ),
  /** What the ledger recorded of one provider, to compare with its bill. */
  usageOfVendor: call(vendorUsageQuerySchema, vendorUsageSchema),
  /** Stores how the usage of an account, or of the installation's keys, compared with a bill. */
  keepReconciliation: call(
    z.object({ accountId: z.string().optional(), result: reconciliationSchema }),
    z.object({ id: z.string() }),
  ),
  /** Removes all demo data and returns the number of its requests. */
  removeDemo: call(z.object({}), z.object({ requests: z.number() })),
});
