import type { Offer } from '@switchyard/contracts';
import type { ChatProvider, UpstreamRequest } from '@switchyard/providers';
import type { Authorize } from '../credentials/credential.ts';
import { createNetwork } from '../credentials/network.ts';
import type { Target } from '../targets/targets.ts';
import type { UpstreamCall, UpstreamHead } from '../upstream/call.ts';
import { type BodyReader, decodedBody } from '../upstream/decode.ts';
import { UpstreamFailure } from '../failure/upstream-failure.ts';
import { type WireRequest, openUpstream } from '../upstream/open.ts';
import type { Pools } from '../upstream/pools.ts';
import { readAll } from '../upstream/read-all.ts';

/** An error's body is for reading, not for keeping. */
const maxErrorBytes = 256 * 1024;
const errorBodyMs = 5_000;

/** One try of one offer, as far as the wire is concerned: whatever is asked for. */
export interface UpstreamTry {
  equipment: {
    pools: Pools;
    /** The largest answer read from a provider, encoded or decoded. */
    maxResponseBytes: number;
  };
  provider: Pick<ChatProvider, 'id' | 'error'>;
  target: Target;
  offer: Offer;
  /** The provider's HTTP status, once there is one. */
  status: number | null;
  /** What is on the wire now. */
  call: Pick<UpstreamCall, 'abort' | 'discardRest'> | undefined;
  /** Set once it must not go on. */
  stopped: UpstreamFailure | undefined;
}

/** Ends an attempt wherever it stands; its socket closes now. */
export function stopAttempt(attempt: UpstreamTry, failure: UpstreamFailure): void {
  attempt.stopped ??= failure;
  attempt.call?.abort(failure);
}

export interface OpenedResponse {
  call: UpstreamCall;
  head: UpstreamHead;
  body: BodyReader;
}

/** What to send: a body may be known in slices. */
export type OwnRequest = Omit<UpstreamRequest, 'body'> & Pick<WireRequest, 'body'>;

/** Sends the request and waits for a good status. Throws what the provider's error means, or UpstreamFailure. */
export async function openRequest(
  attempt: UpstreamTry,
  asked: () => OwnRequest,
  firstByteMs: number,
): Promise<OpenedResponse> {
  const { call, head } = await sendFresh(attempt, asked, firstByteMs);
  attempt.status = head.status;
  const body = decodedBody(call, head.headers, attempt.equipment.maxResponseBytes);
  if (head.status >= 200 && head.status < 300) return { call, head, body };
  throw attempt.provider.error(head.status, head.headers, await readErrorBody(call, body));
}

type ResponseStart = Pick<OpenedResponse, 'call' | 'head'>;

/** Once more when a kept connection turns out to be closed: the provider has not seen the request, nothing is doubled. */
async function sendFresh(attempt: UpstreamTry, asked: () => OwnRequest, firstByteMs: number): Promise<ResponseStart> {
  try {
    return await send(attempt, asked(), firstByteMs);
  } catch (thrown) {
    if (thrown instanceof UpstreamFailure && thrown.staleConnection) return send(attempt, asked(), firstByteMs);
    throw thrown;
  }
}

async function send(attempt: UpstreamTry, asked: OwnRequest, firstByteMs: number): Promise<ResponseStart> {
  if (attempt.stopped !== undefined) throw attempt.stopped;
  const { target, offer, equipment } = attempt;
  const { method, path, headers, body } = asked;
  const request: WireRequest = {
    origin: target.origin,
    path: target.pathPrefix + (target.path?.(path, offer) ?? path),
    method,
    headers: { 'accept-encoding': 'identity', 'user-agent': 'switchyard', ...headers, ...target.headers },
    body,
  };
  if (target.authorize !== undefined) await addAuthorization(attempt, request, target.authorize);
  if (attempt.stopped !== undefined) throw attempt.stopped;
  const call = openUpstream(equipment.pools, request, equipment.maxResponseBytes);
  attempt.call = call;
  const timer = setTimeout(() => {
    call.abort(new UpstreamFailure('first_byte_timeout', `did not answer within ${firstByteMs} ms`));
  }, firstByteMs);
  try {
    return { call, head: await call.head() };
  } finally {
    clearTimeout(timer);
  }
}

/** Waits only where a token has to be fetched. Others may wait for the same one: who leaves goes alone, and at once. */
function addAuthorization(attempt: UpstreamTry, request: WireRequest, authorize: Authorize): Promise<void> {
  return new Promise((resolve, reject) => {
    attempt.call = { abort: reject, discardRest: () => undefined };
    authorize(request, createNetwork(attempt.equipment.pools)).then((added) => {
      Object.assign(request.headers, added);
      resolve();
    }, reject);
  });
}

/** Parsed where it is JSON, else text; an error whose body cannot be read is still an error. */
async function readErrorBody(call: UpstreamCall, body: BodyReader): Promise<unknown> {
  const timer = setTimeout(() => call.abort(new UpstreamFailure('stalled', 'stalled in an error')), errorBodyMs);
  try {
    const text = await readUpTo(body, maxErrorBytes);
    return parseOr(text);
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

function parseOr(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
