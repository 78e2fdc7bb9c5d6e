import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';
import { type AddressRanges, plainAddress } from './address-ranges.ts';

export type ClientAddress = (request: IncomingMessage) => string;

/**
 * Determines the client's address: the peer of the socket, or what a trusted proxy reports. Each proxy appends its peer
 * to X-Forwarded-For, so the list is read from its end up to the first untrusted address; whatever the client wrote
 * itself precedes it.
 */
export function clientAddresses(trusted: AddressRanges): ClientAddress {
  return ({ socket, headers }) => {
    let address = plainAddress(socket.remoteAddress ?? '');
    const forwarded = headers['x-forwarded-for'];
    if (forwarded === undefined || !trusted.has(address)) return address;
    for (const entry of String(forwarded).split(',').toReversed()) {
      const named = plainAddress(withoutPort(entry.trim()));
      if (isIP(named) === 0) return address;
      address = named;
      if (!trusted.has(address)) return address;
    }
    return address;
  };
}

/** Some proxies write `1.2.3.4:5678` or `[::1]:5678`. */
const withoutPort = (text: string): string =>
  /^\[([^\]]+)\](?::\d+)?$/.exec(text)?.[1] ?? /^(\d+\.\d+\.\d+\.\d+):\d+$/.exec(text)?.[1] ?? text;
