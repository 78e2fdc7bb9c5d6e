import { once } from 'node:events';
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import type { ProxiedRequest } from './proxied-request.ts';
import { recordSockets } from './recorded-sockets.ts';

/** A proxy between an agent and the gateway that records requests and refusals. */
interface RecordingProxy {
  url: string;
  requests: readonly ProxiedRequest[];
  close(): void;
}

const requestDeadlineMs = 60_000;

export async function startRecordingProxy(gatewayUrl: string): Promise<RecordingProxy> {
  const requests: ProxiedRequest[] = [];
  const server = createServer((incoming, response) => {
    forward(incoming, { response, gatewayUrl, requests }).catch(() => response.destroy());
  });
  recordSockets(server, { gatewayUrl, requests });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  return {
    url: `http://127.0.0.1:${port}`,
    requests,
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}

interface ForwardContext {
  response: ServerResponse;
  gatewayUrl: string;
  requests: ProxiedRequest[];
}

async function forward(incoming: IncomingMessage, { response, gatewayUrl, requests }: ForwardContext): Promise<void> {
  const { method = 'GET', url: path = '/', headers } = incoming;
  const body = await buffer(incoming);
  const proxied: ProxiedRequest = { method, path, body: body.toString(), status: 0 };
  requests.push(proxied);
  const upstream = request(gatewayUrl + path, { method, headers, signal: AbortSignal.timeout(requestDeadlineMs) });
  response.once('close', () => upstream.destroy());
  const answer = await new Promise<IncomingMessage>((resolve, reject) => {
    upstream.once('response', resolve).once('error', reject).end(body);
  });
  proxied.status = answer.statusCode ?? 0;
  response.writeHead(proxied.status, answer.headers);
  if (proxied.status < 400) return pipeline(answer, response);
  const refusal = await buffer(answer);
  proxied.refusal = refusal.toString();
  response.end(refusal);
}
