import type { Answer } from './answer.ts';

/**
 * Writes a test's answer in the format of a vendor. Based on the vendor's documentation, never on the adapter's code.
 */
export interface VendorFormat {
  /** False if the last frame of a stream does not mark itself as the last. */
  lastWord?: false;
  json(answer: Answer): unknown;
  /** The frames of the stream, each as its bytes on the wire. */
  stream(answer: Answer): Buffer[];
  /** `undefined` if the vendor has no error with this meaning. */
  error(code: string, message: string): unknown;
  /** A frame with an error in the middle of a stream. */
  errorFrame(message: string): Buffer;
}
