/** What can go wrong between us and a provider below the meaning of its answer. */
export type UpstreamFailureKind =
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
  /** The kept connection was already closed by the provider when we used it: it has not seen this request. */
  readonly staleConnection: boolean;

  constructor(
    kind: UpstreamFailureKind,
    message: string,
    options: { cause?: unknown; staleConnection?: boolean } = {},
  ) {
    super(message, { cause: options.cause });
    this.name = 'UpstreamFailure';
    this.kind = kind;
    this.staleConnection = options.staleConnection ?? false;
  }
}

/** undici's errors, and the system's below them, in our words. */
export function asUpstreamFailure(error: Error, headSeen: boolean): UpstreamFailure {
  if (error instanceof UpstreamFailure) return error;
  const code = 'code' in error && typeof error.code === 'string' ? error.code : error.name;
  if (code === 'UND_ERR_CONNECT_TIMEOUT') {
    return new UpstreamFailure('connect_timeout', 'did not accept a connection in time', { cause: error });
  }
  if (headSeen) return new UpstreamFailure('cut', 'cut its answer off', { cause: error });
  return new UpstreamFailure('connection', 'could not be reached', {
    cause: error,
    staleConnection: bytesReadBefore(error) > 0,
  });
}

/** Bytes of earlier answers on the same connection, which undici tells when the other side closed it. */
function bytesReadBefore(error: Error): number {
  if (!('socket' in error)) return 0;
  const { socket } = error;
  if (typeof socket !== 'object' || socket === null || !('bytesRead' in socket)) return 0;
  return typeof socket.bytesRead === 'number' ? socket.bytesRead : 0;
}
