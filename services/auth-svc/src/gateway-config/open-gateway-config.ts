import type { Database } from '@tallyport/database';
import type { Kit } from '@tallyport/service-kit';
import type { AnyApiEndpoint } from '@tallyport/management-server';
import type { GatewayFileConfig } from './config.ts';
import { gatewayConfigEvents } from './events.ts';
import { type GatewayConfigKeeper, keepGatewayConfig } from './keep-gateway-config.ts';
import { operatorCalls } from './operator-calls.ts';

interface GatewayConfigParts {
  database: Database;
  /** Absent without web access, as in commands, which apply no document. */
  web: { endpoints: readonly AnyApiEndpoint[] } | undefined;
  /** Throws until the database is prepared. */
  ready(): void;
}

/** The keeper of GATEWAY_CONFIG, if it is set. */
export function openGatewayConfig(
  kit: Kit<GatewayFileConfig>,
  parts: GatewayConfigParts,
): GatewayConfigKeeper | undefined {
  const { database, web, ready } = parts;
  const { GATEWAY_CONFIG: file } = kit.config;
  const events = gatewayConfigEvents(kit);
  if (web === undefined || file === undefined) return undefined;
  return keepGatewayConfig(file, {
    config: kit.config,
    database,
    manage: operatorCalls(web.endpoints),
    events,
    ready,
  });
}
