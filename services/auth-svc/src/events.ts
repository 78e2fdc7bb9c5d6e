import type { GatewayError } from '@tallyport/contracts';
import type { Kit } from '@tallyport/service-kit';
import { type ChangeEvents, recordChanges } from './bus/announce.ts';
import { identityEvents, type IdentityEvents } from './identity/events.ts';

export interface AuthEvents extends ChangeEvents, IdentityEvents {
  keyLookedUp(outcome: 'known' | 'unknown' | 'unavailable'): void;
  bootstrapKeyChanged(change: 'created' | 'replaced' | 'restored'): void;
  databaseAwaited(error: unknown): void;
  usesNotRecorded(error: unknown): void;
  webhookStateNotRecorded(error: unknown): void;
  firstOwnerMade(): void;
  firstOwnerAwaited(url: string): void;
  sessionsNotSwept(error: unknown): void;
  oauthHappened(event: OAuthEvent): void;
  oauthFailed(error: unknown): void;
  oauthNotSwept(error: unknown): void;
  oauthDocumentNotRead(address: string, error: unknown): void;
  pageFailed(error: GatewayError, route: string): void;
}

const oauthEvents = ['registered', 'allowed', 'token_issued', 'token_refused', 'grant_revoked', 'failed'] as const;
type OAuthEvent = (typeof oauthEvents)[number];

/** Counts each event of auth-svc and logs it once. Keys appear by id only. */
export function authEvents({ log, metrics }: Kit<unknown>): AuthEvents {
  const lookUps = metrics.counter({
    name: 'gateway_key_lookups_total',
    help: 'Keys looked up in the database, by result.',
    labels: { outcome: ['known', 'unknown', 'unavailable'] },
  });
  const changes = metrics.counter({
    name: 'gateway_key_changes_total',
    help: 'Keys created and revoked.',
    labels: { change: ['created', 'revoked'] },
  });
  const oauth = metrics.counter({
    name: 'gateway_oauth_events_total',
    help: 'Events of the OAuth server.',
    labels: { event: oauthEvents },
  });
  return {
    ...upstreamEvents({ log, metrics }),
    ...identityEvents({ log, metrics }),
    keyLookedUp: (outcome) => lookUps.with({ outcome }).increment(),
    keyCreated(keyId) {
      changes.with({ change: 'created' }).increment();
      log.info({ keyId }, 'key created');
    },
    keyRevoked(keyId) {
      changes.with({ change: 'revoked' }).increment();
      log.info({ keyId }, 'key revoked');
    },
    bootstrapKeyChanged: (change) => log.warn({ change }, 'BOOTSTRAP_API_KEY changed the bootstrap key'),
    firstOwnerMade: () => log.info('created the first owner from BOOTSTRAP_ADMIN_EMAIL'),
    firstOwnerAwaited: (url) =>
      log.warn({ url }, 'this gateway has no owner yet: the first person to open this address becomes the owner'),
    sessionsNotSwept: (error) => log.warn({ error }, 'expired sessions and links could not be removed'),
    databaseAwaited: (error) => log.warn({ error }, 'the database is not reachable; trying again'),
    webhookStateNotRecorded: (error) => log.warn({ error }, 'the state of a webhook could not be recorded'),
    usesNotRecorded: (error) => log.warn({ error }, 'the last use of keys could not be recorded'),
    oauthHappened: (event) => oauth.with({ event }).increment(),
    oauthFailed(error) {
      oauth.with({ event: 'failed' }).increment();
      log.error({ error }, 'OAuth request failed');
    },
    oauthDocumentNotRead: (address, error) =>
      log.warn({ address, error }, 'the document of an OAuth client could not be read'),
    oauthNotSwept: (error) => log.warn({ error }, 'expired OAuth records could not be removed'),
    pageFailed: (error, route) => log.error({ error, route }, 'page failed'),
  };
}

/** Changes to what accounts connect, provider keys, MCP servers and webhooks, and to their routes. */
function upstreamEvents({
  log,
  metrics,
}: Pick<Kit<unknown>, 'log' | 'metrics'>): Pick<
  AuthEvents,
  'guardWebhookChanged' | 'mcpServerChanged' | 'providerKeyChanged' | 'routeChanged'
> {
  const labels = { change: recordChanges };
  const providerKeys = metrics.counter({
    name: 'gateway_provider_key_changes_total',
    help: "Changes to accounts' own provider keys.",
    labels,
  });
  const mcpServers = metrics.counter({
    name: 'gateway_mcp_server_changes_total',
    help: 'Changes to the MCP servers that accounts registered.',
    labels,
  });
  const guardWebhooks = metrics.counter({
    name: 'gateway_guard_webhook_changes_total',
    help: 'Changes to the webhooks of guardrails.',
    labels,
  });
  const routes = metrics.counter({
    name: 'gateway_route_changes_total',
    help: 'Changes to routes of accounts.',
    labels,
  });
  return {
    guardWebhookChanged(change, guardWebhookId) {
      guardWebhooks.with({ change }).increment();
      log.info({ guardWebhookId, change }, 'guardrail webhook changed');
    },
    mcpServerChanged(change, mcpServerId) {
      mcpServers.with({ change }).increment();
      log.info({ mcpServerId, change }, 'MCP server changed');
    },
    providerKeyChanged(change, providerKeyId) {
      providerKeys.with({ change }).increment();
      log.info({ providerKeyId, change }, 'provider key changed');
    },
    routeChanged(change, { name, accountId }) {
      routes.with({ change }).increment();
      log.info({ route: name, accountId, change }, 'route changed');
    },
  };
}
