import type { Offer } from '@switchyard/contracts';
import type { ChatCall, ChatProvider, TranslationContext } from '@switchyard/providers';
import type { Authorize } from './credentials/credential.ts';
import { createNetwork } from './credentials/network.ts';
import type { ImageInliner } from './inline/image-inliner.ts';
import type { Target } from './targets.ts';
import type { Timeouts } from './timeouts.ts';
import type { UpstreamCall, UpstreamHead } from './upstream/call.ts';
import { type BodyReader, decodedBody } from './upstream/decode.ts';
import { UpstreamFailure } from './upstream/failure.ts';
import { type WireRequest, openUpstream } from './upstream/open.ts';
import type { Pools } from './upstream/pools.ts';
import { readAll } from './upstream/read-all.ts';

/** An error's body is for reading, not for keeping. */
const maxErrorBytes = 256 * 1024;
const errorBodyMs = 5_000;

/** What every attempt is made with. */
export interface Equipment {
  pools: Pools;
  images: ImageInliner;
  timeouts: Timeouts;
  /** The largest answer read from a provider, encoded or decoded. */
  maxResponseBytes: number;
  /** The largest single event of a stream. */
  maxFrameBytes: number;
}

/** One try of one offer. */
export interface Attempt {
  equipment: Equipment;
  provider: ChatProvider;
  target: Target;
  offer: Offer;
  chat: ChatCall;
  context: TranslationContext;
  /** The request's: aborts when the client leaves. */
  signal: AbortSignal;
  /** The provider's HTTP status, once there is one. */
  status: number | null;
  /** What is on the wire now. */
  call: Pick<UpstreamCall, 'abort' | 'discardRest'> | undefined;
  /** Set once it must not go on. */
  stopped: UpstreamFailure | undefined;
}

/** Ends an attempt wherever it stands; its socket closes now. */
export function stopAttempt(attempt: Attempt, failure: UpstreamFailure): void {
  attempt.stopped ??= failure;
  attempt.call?.abort(failure);
}

export interface OpenedResponse {
  call: UpstreamCall;
  head: UpstreamHead;
  body: BodyReader;
}

/** Sends the request and waits for a good status. Throws what the provider's error means, or UpstreamFailure. */
export async function openResponse(attempt: Attempt): Promise<OpenedResponse> {
  const prepared = withOwnImages(attempt);
  if (prepared !== undefined) await prepared;
  const { call, head } = await sendFresh(attempt);
  attempt.status = head.status;
  const body = decodedBody(call, head.headers, attempt.equipment.maxResponseBytes);
  if (head.status >= 200 && head.status < 300) return { call, head, body };
  throw attempt.provider.error(head.status, head.headers, await readErrorBody(call, body));
}

/** The request with its images as this provider takes them. Nearly always it is so already and nothing is waited for. */
export function withOwnImages(attempt: Attempt): Promise<void> | undefined {
  const { chat, provider, equipment, signal } = attempt;
  const request = equipment.images.prepare(chat.request, provider, signal);
  if (request === chat.request) return undefined;
  return Promise.resolve(request).then(
    (ready) => {
      attempt.chat = { ...chat, request: ready };
    },
    (thrown: unknown) => {
      throw attempt.stopped ?? thrown;
    },
  );
}

/** Once more when a kept connection turns out to be closed: the provider has not seen the request, nothing is doubled. */
async function sendFresh(attempt: Attempt): Promise<{ call: UpstreamCall; head: UpstreamHead }> {
  try {
    return await send(attempt);
  } catch (thrown) {
    if (thrown instanceof UpstreamFailure && thrown.staleConnection) return send(attempt);
    throw thrown;
  }
}

async function send(attempt: Attempt): Promise<{ call: UpstreamCall; head: UpstreamHead }> {
  if (attempt.stopped !== undefined) throw attempt.stopped;
  const { provider, target, offer, chat, equipment } = attempt;
  const { method, path, headers, body } = provider.request(chat, offer);
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
  const { timeouts } = equipment;
  const firstByteMs = chat.stream ? timeouts.firstByteMs : timeouts.plainFirstByteMs;
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
function addAuthorization(attempt: Attempt, request: WireRequest, authorize: Authorize): Promise<void> {
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
