import type { Frame, FrameDecoder } from '../frame.ts';
import { WireError } from '../wire-error.ts';
import { createEventBuilder } from './event-builder.ts';
import { createLineCutter } from './line-cutter.ts';

const BYTE_ORDER_MARK = Buffer.from([0xef, 0xbb, 0xbf]);

interface SseDecoderOptions {
  /** The largest event, and the largest line, in bytes. */
  maxFrameBytes: number;
}

export interface SseDecoder extends FrameDecoder {
  /** The number of comment lines, which vendors send as a heartbeat while the model thinks. */
  comments(): number;
  /** How long clients should wait before they ask for the rest of a stream that has ended, as last stated. */
  retryMs(): number | undefined;
}

/** Splits bytes into server-sent events without decoding them. */
export function createSseDecoder({ maxFrameBytes }: SseDecoderOptions): SseDecoder {
  const lines = createLineCutter();
  const event = createEventBuilder();
  let frames: Frame[] = [];
  let firstLine = true;
  let tooLarge = false;

  /** Returns false when the line makes its event too large, which ends the decoding. */
  function readLine(line: Buffer): boolean {
    if (firstLine) {
      firstLine = false;
      return readLine(withoutMark(line));
    }
    if (line.length > 0) {
      tooLarge ||= line.length + event.size() > maxFrameBytes;
      if (!tooLarge) event.field(line);
      return !tooLarge;
    }
    const frame = event.take();
    if (frame !== undefined) frames.push(frame);
    return true;
  }

  /** The byte order mark is not part of the first line, but is kept with it until the line is complete. */
  const uncountedBytes = (): number => (firstLine ? BYTE_ORDER_MARK.length : 0);

  /** A failure is thrown after the complete frames before it have been returned. */
  function deliver(): Frame[] {
    if (tooLarge && frames.length === 0) {
      throw new WireError('frame_too_large', `An event of the stream is larger than ${maxFrameBytes} bytes.`);
    }
    const ready = frames;
    frames = [];
    return ready;
  }

  return {
    push(chunk) {
      if (!tooLarge) lines.cut(asBuffer(chunk), readLine);
      if (lines.kept() > 0) tooLarge ||= lines.kept() + event.size() > maxFrameBytes + uncountedBytes();
      return deliver();
    },
    end() {
      if (!tooLarge && readLine(lines.rest())) readLine(Buffer.alloc(0));
      return deliver();
    },
    comments: event.comments,
    retryMs: event.retryMs,
  };
}

const withoutMark = (line: Buffer): Buffer =>
  line.subarray(0, BYTE_ORDER_MARK.length).equals(BYTE_ORDER_MARK) ? line.subarray(BYTE_ORDER_MARK.length) : line;

const asBuffer = (bytes: Uint8Array): Buffer =>
  Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
