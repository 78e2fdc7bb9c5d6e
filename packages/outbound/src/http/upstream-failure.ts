/** Transport failures: what can go wrong with a provider's response before its content is interpreted. */
type UpstreamFailureKind =
  | 'connection'
  | 'connect_timeout'
  | 'first_byte_timeout'
  | 'stalled'
  | 'max_duration'
  | 'cut'
  | 'too_large'
  | 'undecodable'
  | 'left';

export class UpstreamFailure extends Error {
  readonly kind: UpstreamFailureKind;

  constructor(kind: UpstreamFailureKind, message: string, options: { cause?: unknown } = {}) {
    super(message, options);
    this.name = 'UpstreamFailure';
    this.kind = kind;
  }
}

/** Translates errors of undici and of the operating system. */
export function asUpstreamFailure(error: Error, { headSeen }: { headSeen: boolean }): UpstreamFailure {
  if (error instanceof UpstreamFailure) return error;
  if (codeOf(error) === 'UND_ERR_CONNECT_TIMEOUT') {
    return new UpstreamFailure('connect_timeout', 'did not accept a connection in time', { cause: error });
  }
  if (headSeen) return new UpstreamFailure('cut', 'cut its answer off', { cause: error });
  return new UpstreamFailure('connection', 'could not be reached', { cause: error });
}

export const codeOf = (error: Error): string =>
  'code' in error && typeof error.code === 'string' ? error.code : error.name;
