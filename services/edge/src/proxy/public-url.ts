import type { IncomingMessage } from 'node:http';

/** How clients reach us: as configured, else as this one did. */
export function publicUrls(configured: string | undefined): (request: IncomingMessage) => URL {
  if (configured !== undefined) {
    const url = new URL(configured);
    return () => url;
  }
  return ({ headers }) => URL.parse(`http://${headers.host}`) ?? new URL('http://localhost');
}
