import { randomUUID } from 'node:crypto';
import type { ResponseHead } from '@tallyport/contracts';
import { encodeSse, parseJsonBody } from '@tallyport/wire';

/** As many as mcp-svc accepts in a batch. */
const mostRequests = 20;
/** The event that broke off must not continue with the next one. */
const endOfEvent = Buffer.from('\n\n');
const error = {
  code: -32_603,
  message: 'The MCP service stopped during this request. It may have had its effect.',
};

/**
 * Answers the requests of a client whose stream of events broke off: MCP clients wait for an answer, and only some
 * notice a cut connection. A client ignores the error of a request that had its answer before.
 */
export function lastEvents({ headers }: ResponseHead, request: Uint8Array): Uint8Array | undefined {
  if (headers['content-type']?.startsWith('text/event-stream') !== true) return undefined;
  const ids = requestIds(request);
  if (ids.length === 0 || ids.length > mostRequests) return undefined;
  return Buffer.concat([endOfEvent, ...ids.map((id) => encodeSse(JSON.stringify({ jsonrpc: '2.0', id, error })))]);
}

function requestIds(body: Uint8Array): (string | number)[] {
  const reading = parseJsonBody([Buffer.from(body.buffer, body.byteOffset, body.length)], randomUUID);
  if (!reading.ok) return [];
  return [reading.value].flat().flatMap(idOf);
}

function idOf(message: unknown): (string | number)[] {
  if (typeof message !== 'object' || message === null || !('method' in message) || !('id' in message)) return [];
  return typeof message.id === 'string' || typeof message.id === 'number' ? [message.id] : [];
}
