import type { IncomingMessage, ServerResponse } from 'node:http';
import { isConnectionHeader } from '@tallyport/contracts';
import { createProxyMiddleware } from 'http-proxy-middleware';
import { refuseIfLeft } from '../http/has-left.ts';
import type { Addresses } from './addresses.ts';

interface HandOverOptions {
  addresses: Addresses;
  /** How long the service may send nothing. */
  silenceMs: number;
}

/** What the service gets instead of what the client sent. */
interface HandedRequest {
  headers: Readonly<Record<string, string>>;
  /** The whole body. */
  body: Uint8Array;
}

/** Resolves when the response has ended. Rejects, with nothing sent, if the service gives no response. */
type HandOver = (request: IncomingMessage, response: ServerResponse, handed: HandedRequest) => Promise<void>;

interface Handed extends HandedRequest {
  target: string;
  /** Where the request is sent if `target` refuses the connection. */
  next: string | undefined;
  fail(cause: Error): void;
}

/**
 * Hands requests to a service by HTTP. Connections are not kept: each request may go to any replica, and none meets a
 * connection that its replica is just closing.
 */
export function createHandOver({ addresses, silenceMs }: HandOverOptions): HandOver {
  const running = new WeakMap<IncomingMessage, Handed>();

  const proxy = createProxyMiddleware<IncomingMessage, ServerResponse>({
    router: (request) => running.get(request)?.target ?? '',
    agent: false,
    proxyTimeout: silenceMs,
    on: {
      proxyReq(outgoing, request) {
        const { body } = running.get(request) ?? {};
        if (body !== undefined && body.length > 0) outgoing.write(body);
      },
      proxyRes: ({ headers }, _request, response) => {
        for (const name of Object.keys(headers)) if (isConnectionHeader(name)) delete headers[name];
        headers.connection = response.shouldKeepAlive ? 'keep-alive' : 'close';
      },
      error(cause, request, response) {
        const handed = running.get(request);
        if (handed === undefined || !('req' in response)) return;
        if (response.headersSent) return void response.destroy();
        if (handed.next === undefined || !isRefused(cause)) return handed.fail(cause);
        handed.target = handed.next;
        handed.next = undefined;
        void proxy(request, response);
      },
    },
  });

  return async (request, response, { headers, body }) => {
    const [target = '', next] = await addresses();
    refuseIfLeft(request);
    request.headers = { ...headers };
    await new Promise<void>((resolve, fail) => {
      running.set(request, { headers, body, target, next, fail });
      response.once('close', resolve);
      void proxy(request, response);
    });
  };
}

const isRefused = (cause: Error): boolean => 'code' in cause && cause.code === 'ECONNREFUSED';
