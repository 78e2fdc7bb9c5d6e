type WireErrorCode = 'frame_corrupt' | 'frame_too_large';

/**
 * The only error that decoders throw. This package does not know gateway errors; the reader of the stream converts it.
 */
export class WireError extends Error {
  readonly code: WireErrorCode;

  constructor(code: WireErrorCode, message: string) {
    super(message);
    this.name = 'WireError';
    this.code = code;
  }
}
