import type { GatewayError } from '@tallyport/contracts';
import { type RefusedSocket, UpstreamFailure, UpstreamSocket, type UpstreamSockets } from '@tallyport/outbound';
import type { RealtimeCall, RealtimeFormat } from '@tallyport/providers';
import type { SocketMessage } from '@tallyport/wire';
import { addAuthorization } from '../attempts/open-request.ts';
import type { CallAttempt } from '../calls/open-calls.ts';
import { jsonOrText } from '../failure/json-or-text.ts';
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
    const setup = format.opening?.(wanted, offer);
    if (setup !== undefined) void opened.send({ kind: 'text', bytes: setup });
    return { socket: opened, first: await firstOf(attempt, opened) };
  } finally {
    clearTimeout(timer);
  }
}

function refusal(attempt: RealtimeAttempt, { status, headers, text }: RefusedSocket): GatewayError {
  attempt.status = status;
  return attempt.provider.error(status, headers, jsonOrText(text));
}

async function firstOf({ format, provider }: RealtimeAttempt, socket: UpstreamSocket): Promise<SocketMessage> {
  const first = await socket.read();
  const refused = first && format.refusal(first);
  if (refused !== undefined) {
    socket.close();
    throw provider.error(refused.status, {}, refused.body);
  }
  if (first !== undefined && first.kind !== 'close') return first;
  const why = first === undefined || first.reason === '' ? '' : `: ${first.reason.slice(0, 100)}`;
  throw new UpstreamFailure('cut', `ended the session before it had begun${why}`);
}
