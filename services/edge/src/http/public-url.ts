import type { IncomingMessage } from 'node:http';
import { isLoopback } from './loopback.ts';

/**
 * How clients reach us: as configured, else by the name of the own machine that this one used. Any other name is what somebody
 * claims: repeated in answers that caches keep, it would send others elsewhere for their tokens.
 */
export function publicUrls(configured: string | undefined): (request: IncomingMessage) => URL {
  if (configured !== undefined) {
    const url = new URL(configured);
    return () => url;
  }
  return ({ headers, socket }) => {
    const asked = URL.parse(`http://${headers.host}`);
    if (asked !== null && isLoopback(asked.hostname)) return asked;
    return new URL(`http://localhost:${socket.localPort}`);
  };
}
