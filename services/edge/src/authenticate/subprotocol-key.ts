import type { IncomingHttpHeaders } from 'node:http';

/** Browsers let a page set no header of a WebSocket, so the page sends its key in a subprotocol that begins so. */
const keyPrefixes = ['openai-insecure-api-key.', 'ai-gateway-auth.'] as const;

/** The subprotocols that a client offers, in its order. */
export const offeredSubprotocols = ({ 'sec-websocket-protocol': offered }: IncomingHttpHeaders): readonly string[] =>
  (offered ?? '')
    .split(',')
    .map((each) => each.trim())
    .filter((each) => each !== '');

/** Whether the text of a subprotocol must not be repeated to anyone. */
export const holdsKey = (subprotocol: string): boolean => keyPrefixes.some((prefix) => subprotocol.startsWith(prefix));

/** The key in a subprotocol of an upgrade; `undefined` if there is none. */
export function keyInSubprotocols(headers: IncomingHttpHeaders): string | undefined {
  if (headers.upgrade === undefined) return undefined;
  const found = offeredSubprotocols(headers).find(holdsKey);
  return found?.slice(found.indexOf('.') + 1) || undefined;
}
