import { z } from 'zod';
import { callerSchema } from './caller.ts';
import { keptContentSchema } from './content.ts';
import { exchangesOf } from './endpoints.ts';
import { guardWebhookSchema, guardWebhookStateSchema } from './guard-webhooks.ts';
import { apiKeySchema, newKeySchema } from './key-settings.ts';
import { browserSessionSchema, manageAnswerSchema, manageRequestSchema } from './manage.ts';
import { mcpServerSchema } from './mcp-servers.ts';
import { providerUptimesQuerySchema, providerUptimesSchema } from './provider-status.ts';
import { call, exchange, journal, notice, service } from './service.ts';
import { usageRecordSchema } from './usage.ts';

const providerKeySchema = z.object({ id: z.string(), provider: z.string(), key: z.string() });

export type ProviderKey = z.infer<typeof providerKeySchema>;

/**
 * A budget to report on. `from` is the start of its period; when absent, all spending ever counts. From `hour` on, the
 * sums are reported hour by hour.
 */
const budgetQuerySchema = z.object({
  scope: z.enum(['key', 'project', 'account']),
  id: z.string(),
  from: z.string().optional(),
  hour: z.string(),
});

export type BudgetQuery = z.infer<typeof budgetQuerySchema>;

/** Dollars as decimal text: the sum before the hour of the query, and one sum per hour since. */
const spentSchema = z.object({
  before: z.string(),
  hours: z.array(z.object({ hour: z.string(), cost: z.string() })),
});

export type SpentBudget = z.infer<typeof spentSchema>;

export const authService = service('auth', {
  /** Pages of signing in, OAuth and the management API over HTTP. */
  serve: exchange(),
  /**
   * Looks up a key or an OAuth access token by the SHA-256 of its text; the text itself never crosses the bus. `null`
   * means unknown, revoked or expired.
   */
  authenticate: call(z.object({ keyHash: z.string() }), z.object({ caller: callerSchema.nullable() })),
  /** Creates a key. The response is the only place where the key's text appears. */
  createKey: call(newKeySchema, z.object({ key: z.string(), record: apiKeySchema })),
  listKeys: call(z.object({}), z.object({ keys: z.array(apiKeySchema) })),
  /** `false` when no key has this id. */
  revokeKey: call(z.object({ id: z.string() }), z.object({ revoked: z.boolean() })),
  /**
   * A link, good for one use, with which the user of this e-mail address sets a new password; `null` without such a
   * user.
   */
  makePasswordLink: call(
    z.object({ email: z.string().max(254) }),
    z.object({ link: z.object({ path: z.string(), expiresAt: z.string() }).nullable() }),
  ),
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
  /** Removes all demo data and returns the number of its requests. */
  removeDemo: call(z.object({}), z.object({ requests: z.number() })),
  /** An account's own provider keys, in the order to try them. For dispatch, which keeps them in memory only. */
  providerKeys: call(z.object({ accountId: z.string() }), z.object({ keys: z.array(providerKeySchema) })),
  /** The enabled MCP servers of an account. For mcp-svc, which keeps them in memory only. */
  mcpServers: call(z.object({ accountId: z.string() }), z.object({ servers: z.array(mcpServerSchema) })),
  /** Whether this installation has no account but this one. */
  isOnlyAccount: call(z.object({ accountId: z.string() }), z.object({ only: z.boolean() })),
  /** The webhooks that the account's guardrails may name. For dispatching services, which keep them in memory only. */
  guardWebhooks: call(z.object({ accountId: z.string() }), z.object({ webhooks: z.array(guardWebhookSchema) })),
  /** One usage record per logical request. */
  usage: journal(usageRecordSchema),
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
  ...exchangesOf('auth'),
  /** What the ledger has recorded against budgets: before the given hour, and in each hour since. */
  budgetsSpent: call(
    z.object({ asked: z.array(budgetQuerySchema).max(1000) }),
    z.object({ spent: z.array(spentSchema) }),
  ),
  /**
   * Runs an operation of the management API for the session of a browser, with the API's checks of access and input.
   * Fails with `invalid_api_key` without a valid session, and with `permission_denied` if an operation that changes
   * something was not requested by a form of this session.
   */
  manage: call(manageRequestSchema, manageAnswerSchema),
  /**
   * The caller that a signed-in person is for the API. Without a form of the session, a caller that may only read, with
   * the settings of the account. Fails with `invalid_api_key` without a valid session.
   */
  sessionCaller: call(browserSessionSchema, z.object({ caller: callerSchema })),
  /** The unique id of this installation, for storage that several installations may share. */
  installation: call(z.object({}), z.object({ id: z.string().regex(/^[0-9a-f]{16}$/) })),
  /** How the providers did on the last days, for the public status page. */
  providerUptimes: call(providerUptimesQuerySchema, providerUptimesSchema),
  /** Whether the database responds, for `GET /`. */
  databaseStatus: call(z.object({}), z.object({ connected: z.boolean(), error: z.string().optional() })),
  /** A key or token was revoked: drop it from every cache. */
  keyRevoked: notice(z.object({ keyHash: z.string() })),
  /** An account, or any of its keys, provider keys, MCP servers or webhooks, has changed: drop all of them from every cache. */
  accountChanged: notice(z.object({ accountId: z.string() })),
  /** A process does not ask a webhook that failed, or asks it again. */
  guardWebhookState: notice(guardWebhookStateSchema),
  /** An MCP server of the account was registered, changed or deleted: clients should list their tools again. */
  mcpServersChanged: notice(z.object({ accountId: z.string() })),
});
