import type { IncomingMessage } from 'node:http';
import type { EdgeConfig } from '../config.ts';
import { publicUrls } from '../http/public-url.ts';
import { mcpForward } from '../proxy/mcp-proxy.ts';
import type { RequestContext, RelayOutcome } from '../request-context.ts';
import { createIdleStreams } from './idle-streams.ts';
import { mcpRoute, type McpRouteOptions } from './mcp-route.ts';
import { createOriginCheck } from './origin-check.ts';

interface McpNeeds extends Pick<McpRouteOptions, 'door' | 'memory'> {
  mcpUrls(): readonly string[];
}

export interface EdgeMcp {
  answer(context: RequestContext): Promise<RelayOutcome>;
  /** Ends the idle streams, which never end by themselves. */
  close(): void;
}

/** Composes the `/mcp` route of edge. */
export function openMcp(config: EdgeConfig, { mcpUrls, ...needs }: McpNeeds): EdgeMcp {
  const publicUrl: (request: IncomingMessage) => URL = publicUrls(config.BASE_URL);
  const streams = createIdleStreams({ maxPerAccount: config.MCP_MAX_STREAMS_PER_ACCOUNT });
  const answer = mcpRoute({
    ...needs,
    checkOrigin: createOriginCheck({
      host: config.HOST,
      baseUrl: config.BASE_URL,
      allowedOrigins: config.MCP_ALLOWED_ORIGINS,
    }),
    forward: mcpForward({ mcpUrls, publicUrl, silenceMs: config.REQUEST_TIMEOUT_MS }),
    publicUrl,
    streams,
    largest: { bytes: config.MCP_MAX_BODY_BYTES, setting: 'MCP_MAX_BODY_BYTES' },
    secret: config.INTERNAL_SECRET[0]!,
  });
  return { answer, close: streams.close };
}
