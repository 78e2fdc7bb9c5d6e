import { crc32 } from 'node:zlib';
import { createByteTail } from '../byte-tail.ts';
import type { Frame, FrameDecoder } from '../frame.ts';
import { WireError } from '../wire-error.ts';
import { createNaming } from './naming.ts';

/** Total length, length of the headers, and the checksum of both. */
const PRELUDE = 12;
const CHECKSUM = 4;

export interface AwsEventStreamDecoderOptions {
  /** The largest frame, in bytes. */
  maxFrameBytes: number;
}

/**
 * Decodes AWS's binary event stream. A frame's `event` is its event type; for a fault it is `exception:` or `error:`
 * followed by the fault's type, so that it cannot be confused with an event. Decoding stops at a wrong checksum.
 */
export function createAwsEventStreamDecoder({ maxFrameBytes }: AwsEventStreamDecoderOptions): FrameDecoder {
  const tail = createByteTail();
  const nameOf = createNaming();
  let frames: Frame[] = [];
  let failure: WireError | undefined;
  /** Length of the frame in the tail, once its prelude has arrived. */
  let total: number | undefined;

  function read(chunk: Buffer): void {
    let rest = chunk;
    while (rest.length > 0) {
      if (tail.length() === 0 && rest.length >= PRELUDE) total = totalIn(rest, maxFrameBytes);
      if (tail.length() === 0 && total !== undefined && rest.length >= total) {
        const frame = rest.subarray(0, total);
        rest = rest.subarray(total);
        readFrame(frame);
      } else rest = keep(rest);
    }
  }

  /** Returns the bytes that do not belong to the frame in the tail. */
  function keep(bytes: Buffer): Buffer {
    const missing = (total ?? PRELUDE) - tail.length();
    tail.append(bytes.subarray(0, missing));
    if (tail.length() === total) readFrame(tail.complete(nothing));
    else if (tail.length() === PRELUDE) {
      const prelude = tail.complete(nothing);
      total = totalIn(prelude, maxFrameBytes);
      tail.append(prelude);
    }
    return bytes.subarray(missing);
  }

  function readFrame(frame: Buffer): void {
    total = undefined;
    const end = frame.length - CHECKSUM;
    if (crc32(frame.subarray(0, end)) !== frame.readUInt32BE(end)) throw corrupt('The checksum of a frame is wrong.');
    const headersEnd = PRELUDE + frame.readUInt32BE(4);
    const event = nameOf(frame.subarray(PRELUDE, headersEnd));
    frames.push({ event, id: undefined, data: frame.subarray(headersEnd, end) });
  }

  /** A failure is thrown after the complete frames before it have been returned. */
  function deliver(): Frame[] {
    if (failure !== undefined && frames.length === 0) throw failure;
    const ready = frames;
    frames = [];
    return ready;
  }

  return {
    push(chunk) {
      try {
        if (failure === undefined) read(asBuffer(chunk));
      } catch (error) {
        if (!(error instanceof WireError)) throw error;
        failure = error;
      }
      return deliver();
    },
    // An incomplete frame is dropped: unlike a line, it states its length.
    end: deliver,
  };
}

const nothing = Buffer.alloc(0);

/** The length of the frame that starts here. */
function totalIn(bytes: Buffer, maxFrameBytes: number): number {
  if (crc32(bytes.subarray(0, 8)) !== bytes.readUInt32BE(8)) throw corrupt('The checksum of a prelude is wrong.');
  const total = bytes.readUInt32BE(0);
  if (total > maxFrameBytes) {
    throw new WireError('frame_too_large', `An event of the stream is larger than ${maxFrameBytes} bytes.`);
  }
  if (total < PRELUDE + bytes.readUInt32BE(4) + CHECKSUM) throw corrupt('A frame is shorter than its headers.');
  return total;
}

const corrupt = (message: string): WireError => new WireError('frame_corrupt', message);

const asBuffer = (bytes: Uint8Array): Buffer =>
  Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
