import type { Kit } from '@tallyport/service-kit';
import type { AnyApiEndpoint, PlannedChanges } from '@tallyport/management-server';
import type { GatewayFileConfig } from './config.ts';
import { gatewayConfigEvents } from './events.ts';
import { type GatewayConfigKeeper, keepGatewayConfig } from './keep-gateway-config.ts';
import { operatorCalls } from './operator-calls.ts';

interface GatewayConfigParts {
  planned: PlannedChanges;
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
  const { planned, web, ready } = parts;
  const { GATEWAY_CONFIG: file } = kit.config;
  const events = gatewayConfigEvents(kit);
  if (web === undefined || file === undefined) return undefined;
  return keepGatewayConfig(file, {
    config: kit.config,
    planned,
    manage: operatorCalls(web.endpoints),
    events,
    ready,
  });
}
