import { z } from 'zod';
import { callerSchema } from './caller.ts';
import { exchangesOf } from './endpoints.ts';
import { guardWebhookSchema, guardWebhookStateSchema } from './guard-webhooks.ts';
import { apiKeySchema, newKeySchema } from './key-settings.ts';
import { ledgerCalls } from './ledger.ts';
import {
  apiCredentialsSchema,
  browserSessionSchema,
  manageAnswerSchema,
  managementCallerSchema,
  manageRequestSchema,
} from './manage.ts';
import { mcpServerSchema } from './mcp-servers.ts';
import { knownRoutesSchema } from './routes.ts';
import { call, exchange, notice, service } from './service.ts';

const providerKeySchema = z.object({ id: z.string(), provider: z.string(), key: z.string() });

export type ProviderKey = z.infer<typeof providerKeySchema>;

export const authService = service('auth', {
  /** Pages of signing in, OAuth and the management API over HTTP. */
  serve: exchange(),
  /** Edges of the release before ask here for what the ledger answers. It is passed on. */
  ...ledgerCalls,
  ownUsage: exchange(),
  /**
   * Looks up a key or an OAuth access token by the SHA-256 of its text; the text itself never crosses the bus. `null`
   * means unknown, revoked or expired.
   */
  authenticate: call(z.object({ keyHash: z.string() }), z.object({ caller: callerSchema.nullable() })),
  /** The caller that an API key is now, for work that goes on after its request; `null` as for `authenticate`, and for tokens. */
  callerOfKey: call(z.object({ keyId: z.string() }), z.object({ caller: callerSchema.nullable() })),
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
  /** An account's own provider keys, in the order to try them. For dispatch, which keeps them in memory only. */
  providerKeys: call(z.object({ accountId: z.string() }), z.object({ keys: z.array(providerKeySchema) })),
  /** The enabled MCP servers of an account. For mcp-svc, which keeps them in memory only. */
  mcpServers: call(z.object({ accountId: z.string() }), z.object({ servers: z.array(mcpServerSchema) })),
  /** Whether this installation has no account but this one. */
  isOnlyAccount: call(z.object({ accountId: z.string() }), z.object({ only: z.boolean() })),
  /** The webhooks that the account's guardrails may name. For dispatching services, which keep them in memory only. */
  guardWebhooks: call(z.object({ accountId: z.string() }), z.object({ webhooks: z.array(guardWebhookSchema) })),
  /**
   * The routes of an account in this version of them, or the current ones if there is a newer version. For services that
   * dispatch, which keep them in memory only.
   */
  routes: call(z.object({ accountId: z.string(), version: z.string() }), z.object({ routes: knownRoutesSchema })),
  ...exchangesOf('auth'),
  /**
   * Runs an operation of the management API for the session of a browser, with the API's checks of access and input.
   * Fails with `invalid_api_key` without a valid session, and with `permission_denied` if an operation that changes
   * something was not requested by a form of this session.
   */
  manage: call(manageRequestSchema, manageAnswerSchema),
  /**
   * The caller of the management API with a key or a session, for the services that answer its operations; `null` without
   * credentials. Fails as the API does if they are invalid or insufficient.
   */
  identify: call(
    apiCredentialsSchema.extend({ publicOrigin: z.url() }),
    z.object({ caller: managementCallerSchema.nullable() }),
  ),
  /**
   * The signed-in person in an account, for the services that answer `manage`. Fails as `manage` does. `changes`: a form of
   * the session is needed, once.
   */
  pageCaller: call(browserSessionSchema.extend({ changes: z.boolean() }), z.object({ caller: managementCallerSchema })),
  /**
   * The caller that a signed-in person is for the API. Without a form of the session, a caller that may only read, with
   * the settings of the account. Fails with `invalid_api_key` without a valid session.
   */
  sessionCaller: call(browserSessionSchema, z.object({ caller: callerSchema })),
  /** The unique id of this installation, for storage that several installations may share. */
  installation: call(z.object({}), z.object({ id: z.string().regex(/^[0-9a-f]{16}$/) })),
  /** Whether the database responds, for `GET /`. */
  databaseStatus: call(z.object({}), z.object({ connected: z.boolean(), error: z.string().optional() })),
  /** A key or token was revoked: drop it from every cache. */
  keyRevoked: notice(z.object({ keyHash: z.string() })),
  /** An account, or any of its keys, provider keys, MCP servers, webhooks or routes, has changed: drop all of them from every cache. */
  accountChanged: notice(z.object({ accountId: z.string() })),
  /** A process does not ask a webhook that failed, or asks it again. */
  guardWebhookState: notice(guardWebhookStateSchema),
  /** An MCP server of the account was registered, changed or deleted: clients should list their tools again. */
  mcpServersChanged: notice(z.object({ accountId: z.string() })),
});
