import type { McpEvents } from './events.ts';

export interface McpRequest {
  readonly method: string;
  readonly path: string;
  readonly requestId: string | undefined;
}

export interface McpAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: object;
}

const version = '0.1.0';
/** JSON-RPC leaves -32000 to -32099 to servers. */
const serverError = -32_000;

/** A public description for a plain GET, and for everything else the news that tools are not built yet. */
export function answer({ method, path, requestId }: McpRequest, events: McpEvents): McpAnswer {
  if (path !== '/mcp') return { status: 404, headers: {}, body: rpcError('Here is only /mcp.') };
  switch (method) {
    case 'GET':
    case 'HEAD':
      return {
        status: 200,
        headers: {},
        body: { name: 'switchyard', version, transport: 'streamable-http', status: 'unavailable' },
      };
    case 'POST':
      events.refused(requestId);
      return {
        status: 503,
        headers: { 'retry-after': '60' },
        body: rpcError('MCP is not built yet in this version. The HTTP API is.'),
      };
    default:
      return { status: 405, headers: { allow: 'GET, HEAD, POST' }, body: rpcError('Use POST.') };
  }
}

function rpcError(message: string): object {
  return { jsonrpc: '2.0', id: null, error: { code: serverError, message } };
}
