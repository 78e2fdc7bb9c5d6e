/**
 * One event of an upstream's stream, independent of the framing. `data` is a view of the received bytes, so that frames
 * that are passed on are never decoded. It is valid until its chunk is overwritten.
 */
export interface Frame {
  /** The event's name, if the vendor sends one. */
  readonly event: string | undefined;
  readonly id: string | undefined;
  readonly data: Buffer;
}

/** The data as text; invalid UTF-8 becomes U+FFFD. */
export const frameText = (frame: Frame): string => frame.data.toString('utf8');

/** A decoder of one stream. The frames do not depend on how the bytes are cut into chunks. */
export interface FrameDecoder {
  /**
   * Returns the frames that end in this chunk. Throws a WireError when a frame exceeds the limit, after the frames
   * before it.
   */
  push(chunk: Uint8Array): Frame[];
  /** Call after the last chunk. Returns a frame that only lacked its terminator. */
  end(): Frame[];
}
