import type { IncomingMessage } from 'node:http';
import type { Client } from '@switchyard/bus';
import {
  type authService,
  type Caller,
  GatewayError,
  type McpScope,
  type Principal,
  type RequestKind,
} from '@switchyard/contracts';
import type { Leave } from '@switchyard/limits';
import type { Kit } from '@switchyard/service-kit';
import type { Store } from '@switchyard/store';
import { addressRanges } from './authenticate/address-ranges.ts';
import { type ClientAddress, clientAddresses } from './authenticate/client-address.ts';
import { missingApiKey, refuseKeyInQuery } from './authenticate/credentials.ts';
import { createStrangerGuard } from './authenticate/stranger-guard.ts';
import { createIdentifier, type Identifier } from './identify.ts';
import { limitEvents } from './limits/events.ts';
import { type EdgeLimits, openLimits } from './limits/limits.ts';
import type { EdgeConfig } from './config.ts';

/** A request that asks to be let in. */
export interface EntryRequest {
  request: IncomingMessage;
  query: string;
  /** `optional`: with a key, the answer shows what that key may see. */
  key: 'required' | 'optional';
  kind: RequestKind;
  /** Adds headers to the answer, whatever it will be. */
  addHeaders(headers: Record<string, string>): void;
}

export interface EntryPermit {
  principal: Principal | undefined;
  /** Call it when the request has ended. */
  leave: Leave;
}

/** Who may come in, and how often. What is a way of its own, like `/mcp`, asks `caller` and `admit` itself. */
export interface Door extends Pick<Identifier, 'caller'>, Pick<EdgeLimits, 'admit'> {
  /** Throws `invalid_api_key`, `permission_denied`, `rate_limit_exceeded`, or `unavailable` when nobody can say. */
  enter(entry: EntryRequest): Promise<EntryPermit>;
  /** Where requests come from, as trusted proxies say it. */
  addressOf: ClientAddress;
  close(): Promise<void>;
}

export interface DoorNeeds {
  auth: Client<(typeof authService)['operations']>;
  store: Store;
}

export function openDoor(kit: Pick<Kit<EdgeConfig>, 'config' | 'log' | 'metrics'>, { auth, store }: DoorNeeds): Door {
  const { config } = kit;
  const events = limitEvents(kit);
  const addressOf = clientAddresses(addressRanges(config.TRUSTED_PROXIES));
  const guard = createStrangerGuard({
    unknownPerMinute: config.LIMIT_UNKNOWN_KEYS_PER_MINUTE,
    onRefused: events.strangerRefused,
  });
  const identifier = createIdentifier({ auth, addressOf, guard });
  const limits = openLimits({ store, addressOf, ...limitsOf(config), events });

  return {
    caller: identifier.caller,
    admit: limits.admit,
    addressOf,
    async enter(entry) {
      const { request, query, key, kind, addHeaders } = entry;
      refuseKeyInQuery(query);
      const caller = await identifier.caller(request);
      if (!caller && key === 'required') throw missingApiKey();
      if (caller?.oauth) checkToken(caller.oauth, entry);
      const leave = await limits.admit({ caller, request, kind, addHeaders });
      return { principal: caller?.principal, leave };
    },
    async close() {
      identifier.close();
      await limits.stop();
    },
  };
}

const limitsOf = (config: EdgeConfig) => ({
  perMinute: {
    chat: config.LIMIT_CHAT_PER_MINUTE,
    images: config.LIMIT_IMAGES_PER_MINUTE,
    models: config.LIMIT_MODELS_PER_MINUTE,
    mcp: config.LIMIT_MCP_PER_MINUTE,
  },
  concurrent: config.LIMIT_CONCURRENT_REQUESTS,
});

/** Looking at what there is takes any token for the API; whatever costs needs the scope that was allowed for it. */
function checkToken({ resource, scopes }: NonNullable<Caller['oauth']>, entry: EntryRequest): void {
  if (resource === 'mcp') refuseForeignToken(entry);
  if (entry.kind === 'models' || scopes.includes(spending)) return;
  entry.addHeaders({
    'www-authenticate': `Bearer realm="switchyard", error="insufficient_scope", scope="${spending}"`,
  });
  throw new GatewayError(
    'permission_denied',
    `This token lacks the scope ${spending}. Authorise again with it, or use an API key.`,
    { param: 'scope' },
  );
}

const spending: McpScope = 'mcp:tools';

/** A token is good for what it was issued for, and nothing else. */
function refuseForeignToken({ addHeaders }: EntryRequest): never {
  const why = 'This token was issued for /mcp and is good for nothing else';
  addHeaders({ 'www-authenticate': `Bearer realm="switchyard", error="invalid_token", error_description="${why}"` });
  throw new GatewayError('invalid_api_key', `${why}. Use an API key here.`);
}
