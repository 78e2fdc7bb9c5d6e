import type { IncomingMessage } from 'node:http';
import { createClient, type Link } from '@tallyport/bus';
import { authService, mcpService } from '@tallyport/contracts';
import type { EdgeConfig } from '../config.ts';
import type { Door } from '../door.ts';
import type { EdgeEvents } from '../events.ts';
import type { ForwardOptions } from '../forward/forward.ts';
import { publicUrls } from '../http/public-url.ts';
import type { RequestContext, RelayOutcome } from '../request-context.ts';
import { mcpForward } from './mcp-forward.ts';
import { mcpRoute, type McpRouteOptions } from './mcp-route.ts';
import { createOriginCheck } from './origin-check.ts';
import { createToolStreams } from './tool-streams.ts';
import { watchTools } from './watch-tools.ts';

interface McpTools extends Pick<McpRouteOptions, 'memory'>, Pick<ForwardOptions, 'running'> {
  link: Link;
  door: Pick<Door, 'caller' | 'admit' | 'addressOf'>;
  events: Pick<EdgeEvents, 'toolStreamsFailed'>;
}

interface EdgeMcp {
  answer(context: RequestContext): Promise<RelayOutcome>;
  start(): void;
  /** Ends the streams for notifications, which last for long. */
  close(): void;
}

/** Composes the `/mcp` route of edge. */
export function openMcp(config: EdgeConfig, { link, running, events, ...needs }: McpTools): EdgeMcp {
  const publicUrl: (request: IncomingMessage) => URL = publicUrls(config.BASE_URL);
  const onFailed = events.toolStreamsFailed;
  const streams = createToolStreams({
    most: config.MCP_MAX_STREAMS,
    mostPerAccount: config.MCP_MAX_STREAMS_PER_ACCOUNT,
    onFailed,
  });
  const mcp = createClient(link, mcpService);
  const watch = watchTools({ streams, auth: createClient(link, authService), mcp, onFailed });
  const answer = mcpRoute({
    ...needs,
    checkOrigin: createOriginCheck({
      host: config.HOST,
      baseUrl: config.BASE_URL,
      allowedOrigins: config.MCP_ALLOWED_ORIGINS,
    }),
    forward: mcpForward({
      open: mcp.serve,
      publicUrl,
      addressOf: needs.door.addressOf,
      running,
      timeoutMs: config.REQUEST_TIMEOUT_MS,
    }),
    publicUrl,
    streams,
    largest: { bytes: config.MCP_MAX_BODY_BYTES, setting: 'MCP_MAX_BODY_BYTES' },
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
