import { refuseMcp } from '../mcp/refuse.ts';
import { createForward, type Forward, type ForwardOptions } from './forward.ts';
import { createTargets } from './targets.ts';

export interface McpProxyOptions extends Pick<ForwardOptions, 'publicUrl'> {
  /** Where mcp-svc's replicas listen; called for every request. */
  mcpUrls(): readonly string[];
}

/** The clients' secrets stop here: mcp-svc learns who is calling from the headers edge adds. */
const credentials = ['authorization', 'proxy-authorization', 'x-api-key', 'cookie'];

/** How `/mcp` reaches mcp-svc. */
export const mcpForward = ({ mcpUrls, publicUrl }: McpProxyOptions): Forward =>
  createForward({
    targets: createTargets(mcpUrls),
    publicUrl,
    withheld: credentials,
    unreachable: {
      status: 502,
      message: 'The service behind this path does not answer. Try again shortly.',
      send: refuseMcp,
    },
  });
