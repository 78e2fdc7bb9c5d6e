/**
 * One event of an upstream's stream, whatever the framing. `data` is a view of the bytes as they came, so that a frame
 * nobody has to look into is never decoded; it stays valid for as long as the chunk it came in is not written over.
 */
export interface Frame {
  /** The event's name, where the vendor gives one. */
  readonly event: string | undefined;
  readonly id: string | undefined;
  readonly data: Buffer;
}

/** The data as text; invalid UTF-8 becomes U+FFFD. */
export const frameText = (frame: Frame): string => frame.data.toString('utf8');

/** A decoder of one stream. The same bytes give the same frames however they are cut into chunks. */
export interface FrameDecoder {
  /** The frames that end in this chunk. Throws WireError when a frame outgrows the limit; frames before it come first. */
  push(chunk: Uint8Array): Frame[];
  /** After the last chunk: a frame that only lacked its end. */
  end(): Frame[];
}
