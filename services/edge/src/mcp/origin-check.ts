import type { IncomingMessage } from 'node:http';
import { GatewayError } from '@tallyport/contracts';
import { isLoopback } from '../http/loopback.ts';

export interface OriginCheckOptions {
  /** The address this server listens on. */
  host: string;
  /** The public address, if it is configured. */
  baseUrl: string | undefined;
  /** Origins of other pages that may call; `*` allows any. */
  allowedOrigins: readonly string[];
}

/**
 * Throws `permission_denied` for a request that must be refused whatever its key. Returns the origin of the calling
 * page, if there is one.
 */
export type OriginCheck = (request: IncomingMessage) => string | undefined;

/** Checks the Host and Origin headers, before the credentials. */
export function createOriginCheck({ host, baseUrl, allowedOrigins }: OriginCheckOptions): OriginCheck {
  const isLocal = isLoopback(host);
  const own = baseUrl === undefined ? undefined : new URL(baseUrl);
  const allowed = new Set(allowedOrigins.map((origin) => origin.toLowerCase()));

  /** DNS rebinding: a hostile page can point its own host name at our loopback address. The Host header reveals it. */
  function checkHost(request: IncomingMessage): void {
    if (!isLocal) return;
    const name = URL.parse(`http://${request.headers.host ?? ''}`)?.hostname;
    if (name !== undefined && (isLoopback(name) || name === own?.hostname)) return;
    throw forbidden('This server only accepts its own host names. Use localhost.');
  }

  function checkOrigin(request: IncomingMessage): string | undefined {
    const { origin } = request.headers;
    if (origin === undefined || allowed.has('*') || allowed.has(origin.toLowerCase())) return origin;
    if (isOwn(origin.toLowerCase(), request)) return origin;
    throw forbidden(
      `Pages of ${origin.slice(0, 200)} may not call this server. To allow them, add the origin to MCP_ALLOWED_ORIGINS.`,
    );
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

/** Whether the origin is this server under a loopback name. */
function isOurPort(origin: string, { socket }: IncomingMessage): boolean {
  const url = URL.parse(origin);
  return url !== null && isLoopback(url.hostname) && Number(url.port || 80) === socket.localPort;
}

const hostOf = (origin: string): string | undefined => URL.parse(origin)?.host;

const forbidden = (message: string): GatewayError => new GatewayError('permission_denied', message);
