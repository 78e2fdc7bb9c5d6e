import type { IncomingMessage } from 'node:http';
import { isLoopback } from './loopback.ts';

/**
 * The public address of this gateway: BASE_URL if it is set, otherwise the loopback name in the Host header. Any other
 * Host is only a claim: if a response repeated it and a cache kept it, other clients would fetch their tokens from that
 * host. OAuth clients reject metadata that names another host than the one they requested, so a plain-http BASE_URL of
 * this machine applies to all of its loopback names.
 */
export function publicUrls(configured: string | undefined): (request: IncomingMessage) => URL {
  if (configured === undefined) return (request) => loopbackUrlOf(request) ?? ownName(request);
  const url = new URL(configured);
  // With https there is a proxy in front, and its Host header is not necessarily what clients use.
  if (!isLoopback(url.hostname) || url.protocol === 'https:') return () => url;
  return (request) => {
    const loopback = loopbackUrlOf(request);
    if (loopback === undefined || loopback.hostname === url.hostname) return url;
    return Object.assign(new URL(url), { hostname: loopback.hostname });
  };
}

/**
 * The address under which this machine reaches a server that listens on `address`. A wildcard address becomes loopback.
 */
export const reachableAddress = (address: string): string =>
  address.replace(/^http:\/\/(0\.0\.0\.0|\[::\])(?=:)/, 'http://127.0.0.1');

function loopbackUrlOf({ headers }: IncomingMessage): URL | undefined {
  const loopback = URL.parse(`http://${headers.host}`);
  return loopback !== null && isLoopback(loopback.hostname) ? loopback : undefined;
}

const ownName = ({ socket }: IncomingMessage): URL => new URL(`http://localhost:${socket.localPort}`);
