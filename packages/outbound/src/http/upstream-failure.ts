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
  /** The provider cannot have read the request, so it is safe to send it again. */
  readonly unread: boolean;

  constructor(kind: UpstreamFailureKind, message: string, options: { cause?: unknown; unread?: boolean } = {}) {
    super(message, { cause: options.cause });
    this.name = 'UpstreamFailure';
    this.kind = kind;
    this.unread = options.unread ?? false;
  }
}

/** How far the exchange had progressed when the connection failed. */
interface CallProgress {
  headSeen: boolean;
  /** The provider may have read the request. */
  mayBeRead: boolean;
}

/** Translates errors of undici and of the operating system. */
export function asUpstreamFailure(error: Error, { headSeen, mayBeRead }: CallProgress): UpstreamFailure {
  if (error instanceof UpstreamFailure) return error;
  if (codeOf(error) === 'UND_ERR_CONNECT_TIMEOUT') {
    return new UpstreamFailure('connect_timeout', 'did not accept a connection in time', { cause: error });
  }
  if (headSeen) return new UpstreamFailure('cut', 'cut its answer off', { cause: error });
  return new UpstreamFailure('connection', 'could not be reached', {
    cause: error,
    unread: !mayBeRead && isReset(error),
  });
}

/** A failed write: the connection was closed before the whole request was handed to the system. */
export const isWriteError = (error: Error): boolean => 'syscall' in error && error.syscall === 'write';

/** An orderly close may be the server's response to the request. A reset means that no process read it. */
const isReset = (error: Error): boolean => ['ECONNRESET', 'EPIPE'].includes(codeOf(error));

const codeOf = (error: Error): string => ('code' in error && typeof error.code === 'string' ? error.code : error.name);
