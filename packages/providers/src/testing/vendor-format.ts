import type { Answer } from './answer.ts';

/** How vendors of a dialect write what a test means. Written after the vendors' documentation, never with the adapter's own code. */
export interface VendorFormat {
  /** Not false: the last frame of a stream says that it is the last. */
  lastWord?: false;
  json(answer: Answer): unknown;
  /** The frames of the stream, each as its bytes on the wire. */
  stream(answer: Answer): Buffer[];
  /** `undefined` for what the vendor has no error for. */
  error(code: string, message: string): unknown;
  /** A frame that tells of a fault in the middle of a stream. */
  errorFrame(message: string): Buffer;
}
