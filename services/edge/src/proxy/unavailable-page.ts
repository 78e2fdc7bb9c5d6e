import type { IncomingMessage, ServerResponse } from 'node:http';
import type { GatewayError } from '@switchyard/contracts';
import { securityHeaders } from '../http/security-headers.ts';

/** Browsers put HTML first when they open a page; programs hardly ever list it. */
export const wantsPage = ({ headers }: IncomingMessage): boolean => headers.accept?.startsWith('text/html') ?? false;

/** Deliberately plain: the style sheet is served by the service that is unavailable. */
export function sendUnavailablePage(response: ServerResponse, { status, message }: GatewayError): void {
  const body = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Temporarily unavailable · Switchyard</title>
<h1>Temporarily unavailable</h1>
<p>${message}</p>
</html>
`;
  response.writeHead(status, {
    ...securityHeaders,
    'cache-control': 'no-store',
    'content-type': 'text/html; charset=utf-8',
    'content-length': Buffer.byteLength(body),
    'retry-after': '1',
  });
  response.end(body);
}
