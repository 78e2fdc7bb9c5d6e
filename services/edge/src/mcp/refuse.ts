import type { ServerResponse } from 'node:http';
import type { GatewayError } from '@tallyport/contracts';

const rpcCodes: Partial<Record<GatewayError['code'], number>> = {
  invalid_api_key: -32_001,
  invalid_parameters: -32_600,
  unavailable: -32_603,
  internal_error: -32_603,
};
/** JSON-RPC reserves -32000 to -32099 for servers. */
const otherFault = -32_000;

/** Sends an error as JSON-RPC, the form that MCP clients read, even if the request never reached mcp-svc. */
export function refuseMcp(response: ServerResponse, error: GatewayError): void {
  const { code, message, retryAfterMs } = error;
  const retryAfter = retryAfterMs === undefined ? undefined : Math.max(1, Math.ceil(retryAfterMs / 1000));
  const rpcError = { code: rpcCodes[code] ?? otherFault, message, ...(retryAfter && { data: { retryAfter } }) };
  const body = JSON.stringify({ jsonrpc: '2.0', id: null, error: rpcError });
  response.writeHead(error.status, {
    'content-type': 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(body),
    ...(retryAfter && { 'retry-after': String(retryAfter) }),
  });
  response.end(body);
}
