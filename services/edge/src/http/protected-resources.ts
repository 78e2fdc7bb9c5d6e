import type { IncomingMessage, ServerResponse } from 'node:http';
import { GatewayError, mcpScopes } from '@tallyport/contracts';
import { corsHeaders } from './cors.ts';
import { securityHeaders } from './security-headers.ts';
import { sendError } from './send-error.ts';
import type { WebRoute } from './web-route.ts';

const root = '/.well-known/oauth-protected-resource';

/** RFC 9728: the resource each metadata path describes. The bare path means `/mcp`. */
const described: Readonly<Record<string, string>> = { [root]: '/mcp', [`${root}/mcp`]: '/mcp', [`${root}/v1`]: '/v1' };

/** The OAuth metadata of each resource: where a refused client learns who issues tokens for it. */
export const protectedResources = (publicUrl: (request: IncomingMessage) => URL): readonly WebRoute[] =>
  Object.entries(described).map(([path, part]) => ({
    path,
    handler: (request, response) => answer(request, response, describe(publicUrl(request).origin, part)),
  }));

const describe = (origin: string, part: string) => ({
  resource: origin + part,
  authorization_servers: [origin],
  scopes_supported: mcpScopes,
  bearer_methods_supported: ['header'],
  resource_name: 'Tallyport',
});

const wrongMethod = new GatewayError('method_not_allowed', 'This address does not change anything. Use GET.');

function answer(request: IncomingMessage, response: ServerResponse, description: object): void {
  const headers = { ...corsHeaders, ...securityHeaders };
  if (request.method === 'OPTIONS') {
    response.writeHead(204, {
      ...headers,
      'access-control-allow-methods': 'GET, HEAD',
      'access-control-allow-headers': '*',
      'access-control-max-age': '86400',
    });
    return void response.end();
  }
  if (request.method !== 'GET' && request.method !== 'HEAD') {
    response.setHeader('allow', 'GET, HEAD, OPTIONS');
    return sendError(response, wrongMethod, { requestId: String(response.getHeader('x-request-id')) });
  }
  const body = JSON.stringify(description);
  response.writeHead(200, {
    ...headers,
    'cache-control': 'public, max-age=300',
    'content-type': 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(body),
  });
  response.end(request.method === 'HEAD' ? undefined : body);
}
