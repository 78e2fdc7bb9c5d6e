export type WireErrorCode = 'frame_corrupt' | 'frame_too_large';

/** The only error framing throws. Wire knows no gateway words: whoever reads the stream turns it into a provider fault. */
export class WireError extends Error {
  readonly code: WireErrorCode;

  constructor(code: WireErrorCode, message: string) {
    super(message);
    this.name = 'WireError';
    this.code = code;
  }
}
