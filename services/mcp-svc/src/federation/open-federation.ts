import type { Link } from '@switchyard/bus';
import { createPublicAgent } from '@switchyard/dispatch';
import type { Kit } from '@switchyard/service-kit';
import type { McpConfig } from '../config.ts';
import type { McpEvents } from '../events.ts';
import type { ToolLimits } from '../limits.ts';
import { createFederation, type Federation } from './federation.ts';
import { createRegisteredServer } from './registered-server.ts';
import { registeredTool } from './registered-tool.ts';
import { createServerAccess } from './server-access.ts';

export interface FederationNeeds {
  kit: Kit<McpConfig>;
  link: Link;
  limits: Pick<ToolLimits, 'count'>;
  events: Pick<McpEvents, 'serverListed' | 'serverNotListed'>;
  version: string;
}

const connectMs = 5_000;

/** Composes what is needed to offer the tools of registered MCP servers. */
export function openFederation({ kit, link, limits, events, version }: FederationNeeds): Federation {
  const { config, tracing } = kit;
  const allowLocal = config.MCP_SERVERS_ALLOW_LOCAL;
  const agent = createPublicAgent({ connectMs, allowLocal });
  const now = (): number => performance.now();
  return createFederation({
    link,
    close: () => agent.close(),
    open: (server) =>
      createRegisteredServer({
        server,
        now,
        callTimeoutMs: config.MCP_CALL_TIMEOUT_MS,
        access: createServerAccess({
          server,
          agent,
          allowLocal,
          version,
          now,
          maxBytes: config.MCP_SERVERS_MAX_ANSWER_BYTES,
        }),
        events: { listed: events.serverListed, listFailed: events.serverNotListed },
      }),
    toolOf: (registered, offered) => registeredTool(registered, offered, { limits, tracing }),
  });
}
