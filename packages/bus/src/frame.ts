import { asBuffer } from './json.ts';

/**
 * A frame is a 6-byte prefix (kind, flags, sequence number) followed by raw bytes. Both links carry the same frames.
 */
export const FrameKind = {
  request: 1,
  head: 2,
  data: 3,
  error: 4,
  acknowledge: 5,
  cancel: 6,
  resend: 7,
  ping: 8,
  pong: 9,
  /** Answers have arrived. Older versions ignore it. */
  arrived: 10,
  /** Frames to the sender of this one were lost, or may have been. Older versions ignore it. */
  missed: 11,
} as const;

export type FrameKind = (typeof FrameKind)[keyof typeof FrameKind];

export interface BusFrame {
  kind: FrameKind;
  /** Nothing follows in this direction. */
  last: boolean;
  sequence: number;
  /** How often a request was forwarded to find another replica. */
  forwards: number;
  payload: Uint8Array;
}

const prefixLength = 6;
const lastFlag = 1;

interface FrameParts {
  kind: FrameKind;
  last: boolean;
  sequence: number;
  /** JSON. Present on `request` and `head` frames, where its length and bytes precede the body. */
  head?: string | undefined;
  chunks: readonly Uint8Array[];
}

export function encodeFrame({ kind, last, sequence, head, chunks }: FrameParts): Uint8Array {
  const headLength = head === undefined ? 0 : Buffer.byteLength(head);
  let length = prefixLength + (head === undefined ? 0 : 4 + headLength);
  for (const chunk of chunks) length += chunk.length;
  const frame = Buffer.allocUnsafe(length);
  frame[0] = kind;
  frame[1] = last ? lastFlag : 0;
  frame.writeUInt32BE(sequence, 2);
  let offset = prefixLength;
  if (head !== undefined) {
    frame.writeUInt32BE(headLength, offset);
    frame.write(head, offset + 4);
    offset += 4 + headLength;
  }
  for (const chunk of chunks) {
    frame.set(chunk, offset);
    offset += chunk.length;
  }
  return frame;
}

/** A frame without a body: acknowledgements, cancels, pings. */
export function controlFrame(kind: FrameKind, sequence = 0): Uint8Array {
  return encodeFrame({ kind, last: false, sequence, chunks: [] });
}

const dismissal = 1;

/** Cancels an exchange. `dismissed` means that the caller has another answer; older versions ignore the difference. */
export const cancelFrame = (dismissed = false): Uint8Array => controlFrame(FrameKind.cancel, dismissed ? dismissal : 0);

export const isDismissal = ({ sequence }: BusFrame): boolean => sequence === dismissal;

/** `undefined` for bytes that are not a frame: a foreign message on the subject must not crash the process. */
export function decodeFrame(bytes: Uint8Array): BusFrame | undefined {
  if (bytes.length < prefixLength) return undefined;
  const kind = bytes[0] as FrameKind;
  if (kind < FrameKind.request || kind > FrameKind.missed) return undefined;
  const sequence = ((bytes[2]! << 24) | (bytes[3]! << 16) | (bytes[4]! << 8) | bytes[5]!) >>> 0;
  return {
    kind,
    last: (bytes[1]! & lastFlag) !== 0,
    sequence,
    forwards: bytes[1]! >> 1,
    payload: bytes.subarray(prefixLength),
  };
}

/** A copy of the request with its forward count, in the flags, increased by one. */
export function forwarded(bytes: Uint8Array): Uint8Array {
  const copy = Buffer.from(bytes);
  copy[1] = bytes[1]! + 2;
  return copy;
}

/** Splits the payload of a `request` or `head` frame into its head, which is JSON, and the first bytes of the body. */
export function splitHead(payload: Uint8Array): { head: string; body: Uint8Array } | undefined {
  if (payload.length < 4) return undefined;
  const length = ((payload[0]! << 24) | (payload[1]! << 16) | (payload[2]! << 8) | payload[3]!) >>> 0;
  if (payload.length < 4 + length) return undefined;
  return { head: asBuffer(payload).toString('utf8', 4, 4 + length), body: payload.subarray(4 + length) };
}
