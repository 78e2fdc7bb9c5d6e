import type { IncomingMessage } from 'node:http';

/**
 * Whether a request has at most one Host header. With two, a proxy in front could choose a different one than this
 * server.
 */
export function namesOneHost({ rawHeaders }: IncomingMessage): boolean {
  let hosts = 0;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index]!;
    if (name.length === 4 && name.toLowerCase() === 'host') hosts += 1;
  }
  return hosts <= 1;
}
