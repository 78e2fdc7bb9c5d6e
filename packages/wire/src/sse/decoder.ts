import type { Frame, FrameDecoder } from '../frame.ts';
import { WireError } from '../wire-error.ts';
import { createEventBuilder } from './event-builder.ts';
import { createLineTail } from './line-tail.ts';

const LF = 0x0a;
const CR = 0x0d;
const BYTE_ORDER_MARK = Buffer.from([0xef, 0xbb, 0xbf]);

export interface SseDecoderOptions {
  /** The largest event, and the largest line, in bytes. */
  maxFrameBytes: number;
}

export interface SseDecoder extends FrameDecoder {
  /** How many comment lines came: the signs of life of a vendor that is still thinking. */
  comments(): number;
}

/** Server-sent events, cut out of bytes without decoding them. LF, CRLF and CR end a line, as the standard says. */
export function createSseDecoder({ maxFrameBytes }: SseDecoderOptions): SseDecoder {
  const tail = createLineTail();
  const event = createEventBuilder();
  let firstLine = true;
  let afterCarriageReturn = false;
  let failure: WireError | undefined;

  function readLine(line: Buffer, frames: Frame[]): void {
    if (line.length > 0 && line.length + event.size() > maxFrameBytes) {
      failure = tooLarge(maxFrameBytes);
      return;
    }
    if (firstLine) {
      firstLine = false;
      if (line.subarray(0, 3).equals(BYTE_ORDER_MARK)) return readLine(line.subarray(3), frames);
    }
    if (line.length > 0) return event.field(line);
    const frame = event.take();
    if (frame !== undefined) frames.push(frame);
  }

  function readLines(bytes: Buffer, frames: Frame[]): void {
    let from = afterCarriageReturn && bytes[0] === LF ? 1 : 0;
    if (bytes.length > 0) afterCarriageReturn = false;
    let nextFeed = bytes.indexOf(LF, from);
    let nextReturn = bytes.indexOf(CR, from);
    while (from < bytes.length && failure === undefined) {
      // Each kind is looked for again only when passed: a stream without one of them is not searched over and over.
      if (nextFeed !== -1 && nextFeed < from) nextFeed = bytes[from] === LF ? from : bytes.indexOf(LF, from);
      if (nextReturn !== -1 && nextReturn < from) nextReturn = bytes.indexOf(CR, from);
      const end = earlier(nextFeed, nextReturn);
      if (end === -1) break;
      readLine(tail.complete(bytes.subarray(from, end)), frames);
      from = end + 1;
      if (bytes[end] !== CR) continue;
      if (bytes[from] === LF) from += 1;
      else afterCarriageReturn = from === bytes.length;
    }
    if (failure === undefined) keepTail(bytes.subarray(from));
  }

  function keepTail(rest: Buffer): void {
    if (rest.length === 0) return;
    if (tail.length() + rest.length + event.size() > maxFrameBytes) failure = tooLarge(maxFrameBytes);
    else tail.append(rest);
  }

  /** A failure waits until the frames before it are out: they were whole. */
  function deliver(frames: Frame[]): Frame[] {
    if (failure !== undefined && frames.length === 0) throw failure;
    return frames;
  }

  return {
    push(chunk) {
      const frames: Frame[] = [];
      if (failure === undefined) readLines(asBuffer(chunk), frames);
      return deliver(frames);
    },
    end() {
      const frames: Frame[] = [];
      if (failure === undefined && tail.length() > 0) readLine(tail.complete(Buffer.alloc(0)), frames);
      if (failure === undefined) readLine(Buffer.alloc(0), frames);
      return deliver(frames);
    },
    comments: event.comments,
  };
}

const earlier = (left: number, right: number): number => {
  if (left === -1) return right;
  return right === -1 ? left : Math.min(left, right);
};

const tooLarge = (limit: number): WireError =>
  new WireError('frame_too_large', `An event of the stream is larger than ${limit} bytes.`);

const asBuffer = (bytes: Uint8Array): Buffer =>
  Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
