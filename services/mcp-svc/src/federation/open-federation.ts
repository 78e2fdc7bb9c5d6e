import { createClient, type Link } from '@tallyport/bus';
import { mcpService } from '@tallyport/contracts';
import type { Kit } from '@tallyport/service-kit';
import type { Store } from '@tallyport/store';
import { createPublicAgent, targetRules } from '@tallyport/outbound';
import type { McpConfig } from '../config.ts';
import type { McpEvents } from '../events.ts';
import type { ToolLimits } from '../limits.ts';
import { createAccountShares } from './account-shares.ts';
import { createFederation, type Federation } from './federation.ts';
import { createRegisteredServer } from './registered-server.ts';
import { registeredTool } from './registered-tool.ts';
import { createServerAccess } from './server-access.ts';
import { createToolChanges } from './tool-changes.ts';

interface FederationTools {
  kit: Kit<McpConfig>;
  link: Link;
  store: Store;
  limits: Pick<ToolLimits, 'count'>;
  events: Pick<McpEvents, 'serverListed' | 'serverNotListed'>;
  version: string;
}

const connectMs = 5_000;

/** Composes what is needed to offer the tools of registered MCP servers. */
export function openFederation({ kit, link, store, limits, events, version }: FederationTools): Federation {
  const { config, tracing } = kit;
  const rules = targetRules(config);
  const agent = createPublicAgent({ connectMs, ...rules });
  const reportFound = createToolChanges({ store, announce: createClient(link, mcpService).toolsChanged.publish });
  const now = (): number => performance.now();
  const shares = createAccountShares(now);
  return createFederation({
    link,
    close: () => agent.close(),
    open(server, accountId) {
      const registered = createRegisteredServer({
        server,
        now,
        callTimeoutMs: config.MCP_CALL_TIMEOUT_MS,
        access: createServerAccess({
          server,
          agent,
          rules,
          version,
          now,
          share: shares.of(accountId, server),
          onToolsChanged: () => registered.announced(),
          maxBytes: config.MCP_SERVERS_MAX_ANSWER_BYTES,
        }),
        events: {
          listed: events.serverListed,
          listFailed: events.serverNotListed,
          found: (_server, fingerprint) => void reportFound({ accountId, server, fingerprint }),
        },
      });
      return registered;
    },
    toolOf: (registered, offered) => registeredTool(registered, offered, { limits, tracing }),
  });
}
