import { z } from 'zod';
import { authService } from './auth.ts';
import { catalogueOverrideNameSchema, catalogueOverrideSchema, catalogueSchema, priceListSchema } from './catalog.ts';
import { exchangesOf } from './endpoints.ts';
import { ledgerService } from './ledger.ts';
import { manageAnswerSchema, manageRequestSchema } from './manage.ts';
import { providerKeyTestResultSchema, providerKeyTestSchema } from './provider-key-test.ts';
import { availableProvidersSchema } from './provider-status.ts';
import { guardWebhookTestSchema } from './guard-webhooks.ts';
import { mcpServerTestSchema } from './mcp-servers.ts';
import { budgetHoldSchema } from './batch-budget.ts';
import { lookedForBatchSchema, openedVendorBatchSchema, vendorBatchSchema } from './vendor-batches.ts';
import { call, exchange, notice, service } from './service.ts';

const storedOverrideSchema = catalogueOverrideSchema.extend({
  updatedAt: z.string(),
  /** Why it has no effect: the catalogue beneath it has changed. */
  problem: z.string().optional(),
});

export type StoredOverride = z.infer<typeof storedOverrideSchema>;

export const catalogService = service('catalog', {
  ...exchangesOf('catalog'),
  /** The whole catalogue, for a replica's local copy; only its version when the caller already has it (`known`). */
  snapshot: call(z.object({ known: z.string().optional() }), catalogueSchema),
  /**
   * Validates the override against the whole catalogue and stores it in the database; it is in force on all replicas
   * within two seconds. Fails with `invalid_parameters` and the invalid member. `version` is the catalogue's new
   * version.
   */
  setOverride: call(catalogueOverrideSchema, z.object({ version: z.string() })),
  /** `false` when no override has this name. */
  removeOverride: call(catalogueOverrideNameSchema, z.object({ removed: z.boolean() })),
  /**
   * The prices of a version of the catalogue that is or was in force within the retention time; the one in force when
   * absent. Fails with `not_found`.
   */
  priceList: call(
    z.object({ version: z.string().optional() }),
    z.object({ version: z.string(), since: z.string().optional(), prices: priceListSchema }),
  ),
  listOverrides: call(z.object({}), z.object({ overrides: z.array(storedOverrideSchema) })),
  catalogueChanged: notice(z.object({ version: z.string() })),
});

/** Deletes kept answers of lines of batches: their results are stored, so these Idempotency-Keys are not sent again. */
const forgetAnswers = call(
  z.object({ accountId: z.string(), keys: z.array(z.string().max(255)).max(1_000) }),
  z.object({}),
);

export const chatService = service('chat', {
  ...exchangesOf('chat'),
  /** How the gateway's providers answer now, for the public status page. */
  availableProviders: call(z.object({}), availableProvidersSchema),
  /** One small call with an account's key at a provider. Fails only if there is no result, for example in a shutdown. */
  testProviderKey: call(providerKeyTestSchema, providerKeyTestResultSchema),
  /** Asks a webhook of an account about a sample. Fails with `not_found`. */
  testGuardWebhook: call(z.object({ accountId: z.string(), id: z.string() }), guardWebhookTestSchema),
  /** Opens a batch at a vendor: the body is a `vendorBatchOrder` and its lines, the answer an `openedVendorBatch`. */
  openVendorBatch: exchange(),
  /** Looks for a batch whose opening was not confirmed. Fails if the vendor does not answer. */
  findVendorBatch: call(lookedForBatchSchema, openedVendorBatchSchema),
  lookVendorBatch: call(vendorBatchSchema, z.object({ isOver: z.boolean() })),
  cancelVendorBatch: call(vendorBatchSchema, z.object({})),
  /** The results of a batch that is over: the body is a `vendorBatch`, the answer has a line for each that has a result. */
  vendorBatchResults: exchange(),
  /**
   * What budgets would reserve for requests, one in each line of the body. The head has what they have in common, and their
   * address as `path` in the query. The answer is a `lineEstimates`; nothing is called or spent.
   */
  estimateLines: exchange(),
  /** Fails with `budget_exceeded` if a new hold does not fit into one of the budgets: none has it then. */
  holdBudgets: call(budgetHoldSchema, z.object({})),
  forgetAnswers,
});

export const imageService = service('image', { ...exchangesOf('image'), forgetAnswers });

export const batchService = service('batch', {
  ...exchangesOf('batch'),
  /** Its operations of the management API over HTTP. */
  serve: exchange(),
  /** As in auth-svc, for its operations of the management API. */
  manage: call(manageRequestSchema, manageAnswerSchema),
});

export const mcpService = service('mcp', {
  /** `/mcp` over HTTP. A POST needs the principal and the rights of its caller in the head. */
  serve: exchange(),
  /** Lists the tools of a registered MCP server now, for the test of the management API. Fails with `not_found`. */
  testServer: call(z.object({ accountId: z.string(), id: z.string() }), mcpServerTestSchema),
  /** Lists the tools of the account's servers again if the lists are not recent, and announces those that changed. */
  refreshTools: call(z.object({ accountId: z.string() }), z.object({})),
  /** The tools of a registered server have changed: replicas with another list read it again before they answer. */
  toolsChanged: notice(z.object({ accountId: z.string(), serverId: z.string(), fingerprint: z.string() })),
});

export const services = [
  authService,
  batchService,
  catalogService,
  chatService,
  imageService,
  ledgerService,
  mcpService,
] as const;
