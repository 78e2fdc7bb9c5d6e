import type { Offer } from '@tallyport/contracts';
import type { ChatProvider } from '@tallyport/providers';
import type { Usage } from '@tallyport/wire';
import {
  type BodyReader,
  type ConnectionUse,
  type Pools,
  type UpstreamCall,
  UpstreamFailure,
  type UpstreamHead,
  type WireRequest,
  decodedBody,
  openUpstream,
  readAll,
} from '@tallyport/outbound';
import type { Authorize } from '../credentials/credential.ts';
import { answerOf } from './answer-of.ts';
import type { Detour } from './detour.ts';
import type { OpenedResponse } from './opened-response.ts';
import { createNetwork } from '../credentials/network.ts';
import { jsonOrText } from '../failure/json-or-text.ts';
import { type OwnRequest, requestTo } from '../targets/request-to.ts';
import type { Target } from '../targets/targets.ts';

/** The most that is read of an error's body. */
const maxErrorBytes = 256 * 1024;
const errorBodyMs = 5_000;

/** One attempt at one offer as the wire sees it, for chats and images alike. */
export interface UpstreamTry {
  equipment: {
    pools: Pools;
    /** The largest answer read from a provider, encoded or decoded. */
    maxResponseBytes: number;
  };
  provider: Pick<ChatProvider, 'id' | 'error'>;
  target: Target;
  offer: Offer;
  /** Set while the request is passed on in the client's own API. */
  native?: object | undefined;
  /** The HTTP status of the provider, once it has responded. */
  status: number | null;
  /** The call in progress, if any. */
  call: Pick<UpstreamCall, 'abort' | 'discardRest'> | undefined;
  /** Why the attempt was stopped; it must not send anything after that. */
  stopped: UpstreamFailure | undefined;
  /** Shared by all calls of the attempt. */
  accepted: AcceptedCalls;
  /** One for each call whose request was sent; shared like `accepted`. */
  connections: ConnectionUse[];
  /** Absent if the call is sent from here. */
  detour?: Detour | undefined;
}

/** What the provider has received in an attempt and may bill, although none of its answer has been used. */
interface AcceptedCalls {
  /** Requests that it has received in full and not refused. */
  count: number;
  /** The usage it reported before its first content. */
  usage?: Usage | undefined;
}

/** Stops an attempt in any state and closes its socket at once. The first failure is kept. */
export function stopAttempt(attempt: UpstreamTry, failure: UpstreamFailure): void {
  attempt.stopped ??= failure;
  attempt.call?.abort(failure);
}

/**
 * Sends the request and waits for a 2xx status. Throws the provider's error as its adapter reads it, or
 * UpstreamFailure.
 */
export async function openRequest(
  attempt: UpstreamTry,
  buildRequest: () => OwnRequest,
  firstByteMs: number,
): Promise<OpenedResponse> {
  const answered = attempt.detour && followDetour(attempt, attempt.detour, buildRequest);
  if (answered !== undefined) return answered;
  const { call, head } = await send(attempt, buildRequest, firstByteMs);
  attempt.status = head.status;
  const body = decodedBody(call, head.headers, attempt.equipment.maxResponseBytes);
  if (head.status >= 200 && head.status < 300) return { call, head, body };
  attempt.accepted.count -= 1;
  throw attempt.provider.error(head.status, head.headers, await readErrorBody(call, body));
}

/** Returns the answer if it is there, and throws if the call was taken. */
function followDetour(
  attempt: UpstreamTry,
  detour: Detour,
  buildRequest: () => OwnRequest,
): OpenedResponse | undefined {
  if (attempt.stopped !== undefined) throw attempt.stopped;
  const { offer, target, accepted } = attempt;
  if (detour.kind === 'answered') {
    attempt.status = 200;
    accepted.count += 1;
    return answerOf(detour.body);
  }
  const reason = detour.take({ offer, target, request: buildRequest() });
  if (reason !== undefined) throw new UpstreamFailure('left', 'is left to a batch', { cause: reason });
  return undefined;
}

interface ResponseStart {
  call: UpstreamCall;
  head: UpstreamHead;
}

async function send(attempt: UpstreamTry, buildRequest: () => OwnRequest, firstByteMs: number): Promise<ResponseStart> {
  if (attempt.stopped !== undefined) throw attempt.stopped;
  const request = requestTo(attempt.target, buildRequest(), attempt.offer);
  const { authorize } = attempt.target;
  if (authorize !== undefined) await addAuthorization(attempt, request, authorize);
  if (attempt.stopped !== undefined) throw attempt.stopped;
  const call = startCall(attempt, request);
  const timer = setTimeout(() => {
    call.abort(new UpstreamFailure('first_byte_timeout', `did not answer within ${firstByteMs} ms`));
  }, firstByteMs);
  try {
    return { call, head: await call.head() };
  } finally {
    clearTimeout(timer);
    const use = call.connectionUse();
    if (use !== undefined) attempt.connections.push(use);
  }
}

function startCall(attempt: UpstreamTry, request: WireRequest): UpstreamCall {
  const { equipment, accepted } = attempt;
  const call = openUpstream(equipment.pools, request, {
    maxBytes: equipment.maxResponseBytes,
    onSent: () => void (accepted.count += 1),
    onUnread: () => void (accepted.count -= 1),
  });
  attempt.call = call;
  return call;
}

/** Waits only if a token must be fetched. Requests share that fetch, so a stopped attempt leaves alone and at once. */
export function addAuthorization(attempt: UpstreamTry, request: WireRequest, authorize: Authorize): Promise<void> {
  return new Promise((resolve, reject) => {
    attempt.call = { abort: reject, discardRest: () => undefined };
    authorize(request, createNetwork(attempt.equipment.pools)).then((added) => {
      Object.assign(request.headers, added);
      resolve();
    }, reject);
  });
}

/** The body as JSON, or else as text. If it cannot be read, the status alone still makes an error. */
async function readErrorBody(call: UpstreamCall, body: BodyReader): Promise<unknown> {
  const timer = setTimeout(() => call.abort(new UpstreamFailure('stalled', 'stalled in an error')), errorBodyMs);
  try {
    const text = await readUpTo(body, maxErrorBytes);
    return jsonOrText(text);
  } catch (thrown) {
    if (thrown instanceof UpstreamFailure && thrown.kind === 'left') throw thrown;
    return '';
  } finally {
    clearTimeout(timer);
    call.discardRest(0);
  }
}

async function readUpTo(body: BodyReader, limit: number): Promise<string> {
  let size = 0;
  const bounded: BodyReader = {
    ready: async () => size < limit && (await body.ready()),
    take() {
      const chunks = body.take();
      for (const chunk of chunks) size += chunk.length;
      return chunks;
    },
  };
  const bytes = await readAll(bounded);
  return bytes.toString('utf8', 0, limit);
}
