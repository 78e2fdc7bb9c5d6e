import type { IncomingMessage } from 'node:http';
import { GatewayError } from '@switchyard/contracts';
import { isLoopback } from '../http/loopback.ts';

export interface OriginCheckOptions {
  /** The address we listen on. */
  host: string;
  /** How clients reach us, where that is configured. */
  baseUrl: string | undefined;
  /** Pages that may call besides our own; `*` is any. */
  allowedOrigins: readonly string[];
}

/** Throws for requests that must not pass, whatever their key. Returns the origin of the page that asks, where one does. */
export type OriginCheck = (request: IncomingMessage) => string | undefined;

/** Checked before credentials are: where a request says it comes from and goes to. */
export function createOriginCheck({ host, baseUrl, allowedOrigins }: OriginCheckOptions): OriginCheck {
  const isLocal = isLoopback(host);
  const own = baseUrl === undefined ? undefined : new URL(baseUrl);
  const allowed = new Set(allowedOrigins.map((origin) => origin.toLowerCase()));

  /** A page of a stranger can point a name of its own at our loopback address; the name gives it away. */
  function checkHost(request: IncomingMessage): void {
    if (!isLocal) return;
    const name = URL.parse(`http://${request.headers.host ?? ''}`)?.hostname;
    if (name !== undefined && (isLoopback(name) || name === own?.hostname)) return;
    throw forbidden('This server answers to its own names only. Ask it as localhost.');
  }

  function checkOrigin(request: IncomingMessage): string | undefined {
    const { origin } = request.headers;
    if (origin === undefined || allowed.has('*') || allowed.has(origin.toLowerCase())) return origin;
    if (isOwn(origin.toLowerCase(), request)) return origin;
    throw forbidden(`Pages of ${origin.slice(0, 200)} may not call this server. MCP_ALLOWED_ORIGINS can allow them.`);
  }

  function isOwn(origin: string, request: IncomingMessage): boolean {
    if (origin === own?.origin || (isLocal && isOurPort(origin, request))) return true;
    return own === undefined && !isLocal && hostOf(origin) === request.headers.host;
  }

  return (request) => {
    checkHost(request);
    return checkOrigin(request);
  };
}

/** The same server by one of its loopback names. */
function isOurPort(origin: string, { socket }: IncomingMessage): boolean {
  const url = URL.parse(origin);
  return url !== null && isLoopback(url.hostname) && Number(url.port || 80) === socket.localPort;
}

const hostOf = (origin: string): string | undefined => URL.parse(origin)?.host;

const forbidden = (message: string): GatewayError => new GatewayError('permission_denied', message);
