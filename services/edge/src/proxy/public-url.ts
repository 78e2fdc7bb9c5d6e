import type { IncomingMessage } from 'node:http';

/** How clients reach us: as configured, else as this one did. */
export function publicUrls(configured: string | undefined): (request: IncomingMessage) => URL {
  if (configured !== undefined) {
    const url = new URL(configured);
    return () => url;
  }
  return ({ headers }) =>
    new URL(URL.canParse(`http://${headers.host}`) ? `http://${headers.host}` : 'http://localhost');
}
