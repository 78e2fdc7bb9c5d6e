import type { GatewayError } from '@tallyport/contracts';

/** JSON-RPC reserves -32000 to -32099 for servers. */
const rpcCodes = {
  parseError: -32_700,
  invalidRequest: -32_600,
  invalidParams: -32_602,
  serverError: -32_000,
  unauthorized: -32_001,
} as const;

/** The JSON-RPC form of an error. */
export function rpcError({ code, message }: GatewayError): object {
  return { jsonrpc: '2.0', id: null, error: { code: rpcCodeOf(code), message } };
}

function rpcCodeOf(code: GatewayError['code']): number {
  switch (code) {
    case 'invalid_json':
      return rpcCodes.parseError;
    case 'invalid_parameters':
      return rpcCodes.invalidRequest;
    case 'invalid_api_key':
      return rpcCodes.unauthorized;
    default:
      return rpcCodes.serverError;
  }
}
