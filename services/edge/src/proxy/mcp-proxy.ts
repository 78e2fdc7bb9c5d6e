import { refuseMcp } from '../mcp/refuse.ts';
import { createForward, type Forward, type ForwardOptions } from './forward.ts';
import { createTargets } from './targets.ts';

export interface McpProxyOptions extends Pick<ForwardOptions, 'publicUrl' | 'silenceMs'> {
  /** The addresses of mcp-svc's replicas; called for every request. */
  mcpUrls(): readonly string[];
}

/** Client credentials are not forwarded: mcp-svc learns the principal from edge's token. */
const credentials = ['authorization', 'proxy-authorization', 'x-api-key', 'cookie'];

/** Forwards `/mcp` to mcp-svc. */
export const mcpForward = ({ mcpUrls, publicUrl, silenceMs }: McpProxyOptions): Forward =>
  createForward({
    targets: createTargets({ addresses: mcpUrls, checkPath: '/mcp' }),
    publicUrl,
    silenceMs,
    withheld: credentials,
    unreachable: {
      status: 502,
      message: 'The MCP service is not responding. Try again shortly.',
      send: refuseMcp,
    },
  });
