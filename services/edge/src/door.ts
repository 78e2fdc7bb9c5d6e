import type { IncomingMessage } from 'node:http';
import type { Client } from '@tallyport/bus';
import { type authService, type Caller, GatewayError, type McpScope } from '@tallyport/contracts';
import type { Leave } from '@tallyport/limits';
import type { Kit } from '@tallyport/service-kit';
import type { Store } from '@tallyport/store';
import { addressRanges } from './authenticate/address-ranges.ts';
import { type ClientAddress, clientAddresses } from './authenticate/client-address.ts';
import { missingApiKey, refuseKeyInQuery } from './authenticate/credentials.ts';
import { createUnknownKeyGuard } from './authenticate/unknown-key-guard.ts';
import { createIdentifier, type Identifier, type SessionRequest } from './identify.ts';
import { limitEvents } from './limits/events.ts';
import { type EdgeLimits, openLimits } from './limits/limits.ts';
import type { EdgeConfig } from './config.ts';
import type { RelayedRoute } from './routes.ts';
import type { ClientSecrets } from './authenticate/client-secrets.ts';

/** A request to be authenticated and admitted. */
export interface EntryRequest {
  readonly request: IncomingMessage;
  readonly query: string;
  /** Adds headers to the response, also to an error. */
  addHeaders(headers: Record<string, string>): void;
  /** Called once the caller is known, also if the request is then refused. */
  onCaller(caller: Caller): void;
}

/** What a route asks of its callers. */
type EntryRoute = Pick<RelayedRoute, 'key' | 'kind' | 'holdsContent'>;

/**
 * Authenticates requests and enforces the limits. Routes with their own rules, like `/mcp`, call `caller` and `admit`
 * themselves.
 */
export interface Door extends Pick<Identifier, 'caller' | 'keyHash' | 'sessionCaller'>, Pick<EdgeLimits, 'admit'> {
  /**
   * Throws or rejects with `invalid_api_key`, `permission_denied`, `rate_limit_exceeded`, or `unavailable` if the key
   * cannot be checked. The returned function must be called when the request has ended.
   */
  enter(entry: EntryRequest, route: EntryRoute): Leave | Promise<Leave>;
  /** The client's address, as reported by trusted proxies. */
  addressOf: ClientAddress;
  close(): Promise<void>;
}

interface DoorTools {
  auth: Client<(typeof authService)['operations']>;
  store: Store;
  publicUrl(request: IncomingMessage): URL;
  secrets: Pick<ClientSecrets, 'open'>;
}

export function openDoor(
  kit: Pick<Kit<EdgeConfig>, 'config' | 'log' | 'metrics'>,
  { auth, store, publicUrl, secrets }: DoorTools,
): Door {
  const { config } = kit;
  const events = limitEvents(kit);
  const addressOf = clientAddresses(addressRanges(config.TRUSTED_PROXIES));
  const guard = createUnknownKeyGuard({
    unknownPerMinute: config.LIMIT_UNKNOWN_KEYS_PER_MINUTE,
    onRefused: events.unknownKeyRefused,
  });
  const identifier = createIdentifier({ auth, addressOf, guard, publicUrl, secrets });
  const limits = openLimits({ store, addressOf, ...limitsOf(config), events });

  function admit(entry: EntryRequest, route: EntryRoute, caller: Caller | undefined): Leave | Promise<Leave> {
    const { key, kind } = route;
    if (!caller && key === 'required') throw missingApiKey();
    if (caller) entry.onCaller(caller);
    if (caller?.oauth) checkToken(caller.oauth, entry, route);
    return limits.admit(entry, kind, caller);
  }

  return {
    caller: identifier.caller,
    keyHash: identifier.keyHash,
    sessionCaller: identifier.sessionCaller,
    admit: limits.admit,
    addressOf,
    enter(entry, route) {
      refuseKeyInQuery(entry.query);
      const { request } = entry;
      const caller =
        route.key === 'session' ? identifier.sessionCaller(sentByModule(request)) : identifier.caller(request);
      return caller instanceof Promise
        ? caller.then((found) => admit(entry, route, found))
        : admit(entry, route, caller);
    },
    async close() {
      identifier.close();
      await limits.stop();
    },
  };
}

/** Modules send the account and the token of their page in headers that no form can send. */
const sentByModule = (request: IncomingMessage): SessionRequest => ({
  request,
  account: textOf(request.headers['x-tallyport-account']),
  maskedToken: textOf(request.headers['x-csrf-token']),
});

const textOf = (header: string | string[] | undefined): string | undefined =>
  typeof header === 'string' ? header : undefined;

const limitsOf = (config: EdgeConfig) => ({
  perMinute: {
    chat: config.LIMIT_CHAT_PER_MINUTE,
    images: config.LIMIT_IMAGES_PER_MINUTE,
    models: config.LIMIT_MODELS_PER_MINUTE,
    mcp: config.LIMIT_MCP_PER_MINUTE,
  },
  concurrent: config.LIMIT_CONCURRENT_REQUESTS,
});

/** Any API token may read the models. Everything that costs money or holds content needs the scope for it. */
function checkToken(
  { resource, scopes }: NonNullable<Caller['oauth']>,
  entry: EntryRequest,
  { kind, holdsContent }: EntryRoute,
): void {
  if (resource === 'mcp') refuseForeignToken(entry);
  if ((kind === 'models' && !holdsContent) || scopes.includes(spending)) return;
  entry.addHeaders({
    'www-authenticate': `Bearer realm="tallyport", error="insufficient_scope", scope="${spending}"`,
  });
  throw new GatewayError(
    'permission_denied',
    `This token lacks the scope ${spending}. Authorise again with this scope, or use an API key.`,
    { param: 'scope' },
  );
}

const spending: McpScope = 'mcp:tools';

/** A token is only valid for the resource it was issued for. */
function refuseForeignToken(entry: EntryRequest): never {
  const reason = 'This token is valid for /mcp only';
  const challenge = `Bearer realm="tallyport", error="invalid_token", error_description="${reason}"`;
  entry.addHeaders({ 'www-authenticate': challenge });
  throw new GatewayError('invalid_api_key', `${reason}. Use an API key here.`);
}
