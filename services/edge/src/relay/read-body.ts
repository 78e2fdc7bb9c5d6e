import type { IncomingMessage } from 'node:http';
import type { Body } from '@switchyard/bus';
import { GatewayError } from '@switchyard/contracts';
import type { MemoryReservation } from '../http/memory-budget.ts';

/** Bodies up to this size travel in one frame, so they are gathered first; larger ones flow through as they come. */
const gatherLimit = 256 * 1024;

/** The body as opaque bytes: edge never parses what it relays. */
export function readRequestBody(request: IncomingMessage, reservation: MemoryReservation): Promise<Body> {
  const length = declaredLength(request);
  if (length === 0) return Promise.resolve(new Uint8Array(0));
  if (length === undefined || length > gatherLimit) return Promise.resolve(flowing(request, reservation));
  return gathered(request, reservation);
}

/** `undefined` when the body is chunked; zero when there is none. */
export function declaredLength({ headers }: IncomingMessage): number | undefined {
  const declared = headers['content-length'];
  if (declared !== undefined) return Number(declared);
  return headers['transfer-encoding'] === undefined ? 0 : undefined;
}

/** With events rather than an iterator: on the hot path a small body is one event. */
function gathered(request: IncomingMessage, reservation: MemoryReservation): Promise<Uint8Array> {
  return new Promise((resolve, reject) => {
    const chunks: Uint8Array[] = [];
    request.on('data', (chunk: Uint8Array) => {
      try {
        reservation.grow(chunk.length);
        chunks.push(chunk);
      } catch (error) {
        request.pause();
        reject(error as Error);
      }
    });
    request.on('end', () => resolve(chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks)));
    request.on('error', (cause) => reject(brokeOff(cause)));
    request.on('close', () => {
      if (!request.complete) reject(brokeOff(undefined));
    });
  });
}

async function* flowing(request: IncomingMessage, reservation: MemoryReservation): AsyncGenerator<Uint8Array> {
  try {
    for await (const chunk of request as AsyncIterable<Uint8Array>) {
      reservation.grow(chunk.length);
      yield chunk;
    }
  } catch (cause) {
    throw cause instanceof GatewayError ? cause : brokeOff(cause);
  }
}

const brokeOff = (cause: unknown): GatewayError =>
  new GatewayError('client_closed_request', 'The request body broke off before its end.', { cause });
