import type { IncomingMessage } from 'node:http';
import { createClient, type Link } from '@tallyport/bus';
import { authService, mcpService } from '@tallyport/contracts';
import type { EdgeConfig } from '../config.ts';
import { publicUrls } from '../http/public-url.ts';
import { mcpForward } from '../proxy/mcp-proxy.ts';
import type { RequestContext, RelayOutcome } from '../request-context.ts';
import { mcpRoute, type McpRouteOptions } from './mcp-route.ts';
import { createOriginCheck } from './origin-check.ts';
import { createToolStreams } from './tool-streams.ts';
import { watchTools } from './watch-tools.ts';

interface McpNeeds extends Pick<McpRouteOptions, 'door' | 'memory'> {
  link: Link;
  mcpUrls(): readonly string[];
}

export interface EdgeMcp {
  answer(context: RequestContext): Promise<RelayOutcome>;
  start(): void;
  /** Ends the streams for notifications, which last for long. */
  close(): void;
}

/** Composes the `/mcp` route of edge. */
export function openMcp(config: EdgeConfig, { link, mcpUrls, ...needs }: McpNeeds): EdgeMcp {
  const publicUrl: (request: IncomingMessage) => URL = publicUrls(config.BASE_URL);
  const streams = createToolStreams({
    most: config.MCP_MAX_STREAMS,
    mostPerAccount: config.MCP_MAX_STREAMS_PER_ACCOUNT,
  });
  const watch = watchTools({ streams, auth: createClient(link, authService), mcp: createClient(link, mcpService) });
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
  return {
    answer,
    start: watch.start,
    close() {
      watch.stop();
      streams.close();
    },
  };
}
