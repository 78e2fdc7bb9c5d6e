import { Agent, type ClientRequest, type IncomingMessage, type ServerResponse } from 'node:http';
import type { GatewayError } from '@switchyard/contracts';
import { createProxyMiddleware, type RequestHandler } from 'http-proxy-middleware';
import { unreachable } from './unreachable.ts';

export interface ProxyOptions {
  /** Asked for every request. */
  target(request: IncomingMessage): Promise<string>;
  /** What the service behind is told by us. */
  headers?(request: IncomingMessage): Readonly<Record<string, string>>;
  /** How clients reach us: overwrites whatever they claim in X-Forwarded-*. */
  publicUrl(request: IncomingMessage): URL;
  /** How long the service behind may say nothing; absent where it ends what takes too long itself. */
  silenceMs?: number;
  /** Tells a client that the service behind did not answer. */
  onUnreachable(response: ServerResponse, error: GatewayError): void;
}

/** Hands on what is HTTP by nature (statuses, cookies, redirects, event streams) to the service that serves it. */
export function proxyTo(options: ProxyOptions): RequestHandler {
  const { target, headers, publicUrl, silenceMs = 0, onUnreachable } = options;
  return createProxyMiddleware({
    router: target,
    changeOrigin: false,
    xfwd: false,
    // A finite number of sockets and long streams make an endpoint that never answers again.
    agent: new Agent({ keepAlive: true, maxSockets: Infinity }),
    timeout: 0,
    proxyTimeout: silenceMs,
    on: {
      proxyReq(outgoing, incoming) {
        rewriteHeaders(outgoing, incoming, publicUrl(incoming));
        for (const [name, value] of Object.entries(headers?.(incoming) ?? {})) outgoing.setHeader(name, value);
      },
      proxyRes(answer, _request, response) {
        // They speak of the connection behind us, not of the client's.
        for (const name of ['connection', 'keep-alive']) delete answer.headers[name];
        sendHeadersNow(answer, response);
      },
      error: (cause, _request, response) => {
        if (!isResponse(response) || response.headersSent) return void response.destroy();
        onUnreachable(response, unreachable(cause));
      },
    },
  });
}

function rewriteHeaders(outgoing: ClientRequest, incoming: IncomingMessage, url: URL): void {
  for (const name of outgoing.getHeaderNames()) if (name.startsWith('x-gw-')) outgoing.removeHeader(name);
  outgoing.setHeader('x-forwarded-for', incoming.socket.remoteAddress ?? '');
  outgoing.setHeader('x-forwarded-proto', url.protocol.slice(0, -1));
  outgoing.setHeader('x-forwarded-host', url.host);
}

/** Without this the headers of a quiet event stream wait for its first byte. They are copied after this event. */
function sendHeadersNow(answer: IncomingMessage, response: ServerResponse): void {
  if (!answer.headers['content-type']?.startsWith('text/event-stream')) return;
  setImmediate(() => {
    if (!response.headersSent) response.flushHeaders();
  });
}

const isResponse = (response: object): response is ServerResponse => 'writeHead' in response;
