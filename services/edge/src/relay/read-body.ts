import type { IncomingMessage } from 'node:http';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Body } from '@tallyport/bus';
import { GatewayError } from '@tallyport/contracts';
import { collectPassed } from '@tallyport/service-kit';
import { clientLeft, hasLeft } from '../http/has-left.ts';
import type { MemoryReservation } from '../http/memory-budget.ts';
import { declaredLength } from '../http/unread-body.ts';
import { createJoinedPieces } from './joined-pieces.ts';
import { plainBody, refuseEncoded } from './plain-body.ts';
import { type BodySource, withoutPauses } from './without-pauses.ts';

/** Bodies up to this size are collected and travel in one frame. Larger ones are streamed. */
const collectLimit = 256 * 1024;

const leastFrame = 16 * 1024;

/** Reads the body of an upload as it arrives, however small it is. Throws `deadline_exceeded` after a pause of the client. */
export function readUpload(request: IncomingMessage, reservation: MemoryReservation, pauseMs: number): Body {
  if (hasLeft(request)) throw clientLeft();
  return stream(withoutPauses(plainBody(request) ?? keptOpen(request), pauseMs), reservation);
}

/** Reads the body as opaque bytes: edge never parses what it relays. */
export function readRequestBody(request: IncomingMessage, reservation: MemoryReservation): Body | Promise<Body> {
  if (hasLeft(request)) throw clientLeft();
  const decoded = plainBody(request);
  if (decoded !== undefined) return stream(decoded, reservation);
  const length = declaredLength(request);
  if (length === 0) return noBody;
  if (length === undefined || length > collectLimit) return stream(keptOpen(request), reservation);
  return request.readableLength === length ? received(request, reservation) : collect(request, reservation);
}

/** Most small bodies have been received together with their head: these need no listeners. */
function received(request: IncomingMessage, reservation: MemoryReservation): Uint8Array {
  reservation.grow(request.readableLength);
  const body: Uint8Array | null = request.read();
  return body ?? noBody;
}

/** Reads the whole body, for services that must not wait for a client's upload. */
export async function readWholeBody(request: IncomingMessage, reservation: MemoryReservation): Promise<Uint8Array> {
  if (hasLeft(request)) throw clientLeft();
  refuseEncoded(request);
  return declaredLength(request) === 0 ? noBody : collect(request, reservation);
}

/** The body of requests that have none. */
export const noBody = new Uint8Array(0);

/**
 * Events are cheaper than an iterator here: on the hot path a small body is one event. Must be called while the client
 * is connected.
 */
function collect(request: IncomingMessage, reservation: MemoryReservation): Promise<Uint8Array> {
  return new Promise((resolve, reject) => {
    const pieces = createJoinedPieces();
    request.on('data', (chunk: Uint8Array) => {
      try {
        reservation.grow(chunk.length);
        pieces.add(chunk);
      } catch (error) {
        request.pause();
        reject(error as Error);
      }
    });
    request.on('end', () => resolve(pieces.whole()));
    request.on('error', (cause) => reject(brokeOff(cause)));
    request.on('close', () => {
      if (!request.complete) reject(brokeOff(undefined));
    });
  });
}

/**
 * The bytes of a request that its reader may leave early. Node would otherwise close the connection, and the client would
 * not get the refusal that made the reader leave.
 */
const keptOpen = (request: IncomingMessage): BodySource => ({
  [Symbol.asyncIterator]: () => request.iterator({ destroyOnReturn: false }),
  get readableLength() {
    return request.readableLength;
  },
});

/** Yields the body in frames. Small chunks that are received together are joined into one frame. */
async function* stream(source: BodySource, reservation: MemoryReservation): AsyncGenerator<Uint8Array> {
  let pieces = createJoinedPieces();
  try {
    for await (const chunk of source) {
      reservation.grow(chunk.length);
      pieces.add(chunk);
      // Node emits one HTTP chunk at a time, even if it has read several.
      if (chunk.length < leastFrame) await nextTurn();
      if ((source.readableLength ?? 0) > 0 && pieces.bytes() < leastFrame) continue;
      const whole = pieces.whole();
      yield whole;
      collectPassed(whole.length);
      pieces = createJoinedPieces();
    }
    if (pieces.held() > 0) yield pieces.whole();
  } catch (cause) {
    throw cause instanceof GatewayError ? cause : brokeOff(cause);
  }
}

const brokeOff = (cause: unknown): GatewayError =>
  new GatewayError('client_closed_request', 'The request body broke off before its end.', { cause });
