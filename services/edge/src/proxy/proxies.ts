import type { IncomingMessage, ServerResponse } from 'node:http';
import { errorBody, type GatewayError } from '@switchyard/contracts';
import type { RequestHandler } from 'express';
import { sendError } from '../http/send-error.ts';
import { proxyTo } from './proxy.ts';

/** The clients' secrets stop at the edge: mcp-svc learns who is calling from us. */
const credentials = ['authorization', 'x-api-key', 'cookie'];

interface ProxyConfig {
  mcpUrl(): string;
  OAUTH_URL?: string | undefined;
  BASE_URL?: string | undefined;
}

export interface MountedProxy {
  path: string;
  handler: RequestHandler;
}

/** Which paths are HTTP by nature, and who serves them. */
export function edgeProxies(config: ProxyConfig, nextId: () => string): readonly MountedProxy[] {
  const publicUrl = (request: IncomingMessage): URL => new URL(config.BASE_URL ?? `http://${request.headers.host}`);
  const mcp = proxyTo({ target: config.mcpUrl, strip: credentials, publicUrl, onUnreachable: tellMcp });
  const mounted = [{ path: '/mcp', handler: mcp }];
  const oauthUrl = config.OAUTH_URL;
  if (oauthUrl === undefined) return mounted;
  const onUnreachable = (response: ServerResponse, error: GatewayError): void => sendError(response, error, nextId());
  const oauth = proxyTo({ target: () => oauthUrl, strip: [], publicUrl, onUnreachable });
  return [...mounted, { path: '/oauth/*rest', handler: oauth }];
}

const jsonRpcInternalError = -32603;

/** MCP clients read JSON-RPC, also when nobody is there to speak it. */
function tellMcp(response: ServerResponse, error: GatewayError): void {
  const { message } = errorBody(error).error;
  response.writeHead(error.status, { 'content-type': 'application/json; charset=utf-8', 'retry-after': '1' });
  response.end(JSON.stringify({ jsonrpc: '2.0', id: null, error: { code: jsonRpcInternalError, message } }));
}
