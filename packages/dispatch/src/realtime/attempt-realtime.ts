import type { GatewayError } from '@tallyport/contracts';
import { type RefusedSocket, UpstreamFailure, UpstreamSocket, type UpstreamSockets } from '@tallyport/outbound';
import type { RealtimeCall, RealtimeFormat } from '@tallyport/providers';
import type { SocketMessage } from '@tallyport/wire';
import { addAuthorization } from '../attempts/open-request.ts';
import type { CallAttempt } from '../calls/open-calls.ts';
import { requestTo } from '../targets/request-to.ts';

/** A session that the vendor has begun. */
export interface BegunSession {
  socket: UpstreamSocket;
  /** The vendor's first message. */
  first: SocketMessage;
}

type RealtimeAttempt = CallAttempt<RealtimeCall, RealtimeFormat>;

/** The handshake of HTTP has this status. */
const switched = 101;

/** Opens the vendor's socket and commits with its first message, unless that is an error. */
export async function attemptRealtime(attempt: RealtimeAttempt, sockets: UpstreamSockets): Promise<BegunSession> {
  const { format, wanted, offer, target, equipment } = attempt;
  if (attempt.stopped !== undefined) throw attempt.stopped;
  const request = requestTo(target, format.request(wanted, offer), offer);
  if (target.authorize !== undefined) await addAuthorization(attempt, request, target.authorize);
  if (attempt.stopped !== undefined) throw attempt.stopped;
  const opening = sockets.open(request);
  attempt.call = { abort: opening.abort, discardRest: () => undefined };
  const timer = setTimeout(
    () => opening.abort(new UpstreamFailure('first_byte_timeout', 'did not begin the session in time')),
    equipment.timeouts.firstByteMs,
  );
  try {
    const opened = await opening.opened;
    if (!(opened instanceof UpstreamSocket)) throw refusal(attempt, opened);
    attempt.status = switched;
    return { socket: opened, first: await firstOf(attempt, opened) };
  } finally {
    clearTimeout(timer);
  }
}

function refusal(attempt: RealtimeAttempt, { status, headers, text }: RefusedSocket): GatewayError {
  attempt.status = status;
  return attempt.provider.error(status, headers, parsedOr(text));
}

async function firstOf({ provider }: RealtimeAttempt, socket: UpstreamSocket): Promise<SocketMessage> {
  const first = await socket.read();
  if (first !== undefined && first.kind !== 'close') {
    const error = errorIn(first.bytes);
    if (error === undefined) return first;
    socket.close();
    throw provider.error(statusOf(error), {}, { error });
  }
  const why = first === undefined || first.reason === '' ? '' : `: ${first.reason.slice(0, 100)}`;
  throw new UpstreamFailure('cut', `ended the session before it had begun${why}`);
}

interface EventError {
  type?: unknown;
  code?: unknown;
}

function errorIn(bytes: Buffer): EventError | undefined {
  const event = parsedOr(bytes.toString('utf8', 0, mostReadBytes));
  if (typeof event !== 'object' || event === null || !('type' in event) || event.type !== 'error') return undefined;
  return 'error' in event && typeof event.error === 'object' && event.error !== null ? event.error : {};
}

/** The first message describes the session: instructions and tools are not in it yet. */
const mostReadBytes = 64 * 1024;

/** Events have no status. */
function statusOf({ type, code }: EventError): number {
  if (code === 'invalid_api_key') return 401;
  if (code === 'model_not_found') return 404;
  if (type === 'insufficient_quota' || code === 'insufficient_quota') return 429;
  if (code === 'rate_limit_exceeded') return 429;
  return type === 'invalid_request_error' ? 400 : 500;
}

function parsedOr(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
