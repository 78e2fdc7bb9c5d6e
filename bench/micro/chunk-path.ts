import { type DialectCall, geminiDialect, messagesDialect } from '@tallyport/dialects';
import { findChatProvider } from '@tallyport/providers';
import type { Dispatcher } from 'undici';
import { defaultTimeouts } from '../../packages/dispatch/src/attempts/timeouts.ts';
import type { Attempt } from '../../packages/dispatch/src/chat/attempt.ts';
import { nativeAttempt } from '../../packages/dispatch/src/chat/native/native-attempt.ts';
import { ChatStream } from '../../packages/dispatch/src/chat/stream/chat-stream.ts';
import { UpstreamFailure } from '../../packages/outbound/src/http/upstream-failure.ts';
import { createImageFetcher } from '../../packages/dispatch/src/inline/image-fetcher.ts';
import { createImageInliner } from '../../packages/dispatch/src/inline/image-inliner.ts';
import { modelOf, offerOf } from '../../packages/contracts/src/testing/index.ts';
import { defaultRouting } from '../../packages/dispatch/src/settings.ts';
import { UpstreamCall } from '../../packages/outbound/src/http/call.ts';
import { createPools } from '../../packages/outbound/src/http/pools.ts';
import { chunkRenderer } from '../../services/chat-svc/src/answer/chunk.ts';
import { reasoningViewFor } from '../../services/chat-svc/src/answer/reasoning-view.ts';
import type { ServedChat } from '../../services/chat-svc/src/answer/served-chat.ts';
import { openAiAnswerForm, StreamBody } from '../../packages/serving/src/index.ts';
import { dialectStream } from '../../services/chat-svc/src/dialects/dialect-stream.ts';
import type { VendorStream } from './chunks.ts';

/** The path of a chunk in chat-svc from the HTTP client to the bus, without the two. */
interface ChunkPath {
  /** Takes the bytes of one read of the socket and returns the bytes for the client. */
  pass(read: Buffer): Promise<Uint8Array>;
  close(): Promise<unknown>;
}

/** The API of the client: chat completions, or the vendor's own, translated or passed on. */
export type BenchLane = 'chat' | 'translated' | 'native';

const endless = 1e12;

export async function openChunkPath(vendor: VendorStream, lane: BenchLane = 'chat'): Promise<ChunkPath> {
  const call = new UpstreamCall({ maxBytes: endless });
  call.onRequestStart(socket);
  call.onResponseStart(socket, 200, {});
  const spoken = lane === 'chat' ? undefined : requestOf(vendor);
  const attempt = { ...attemptAt(vendor, call), ...(lane === 'native' && nativeOf(vendor, spoken)) };
  const stream = new ChatStream(attempt, { call, head: await call.head(), body: call });
  call.onResponseData(socket, Buffer.concat([vendor.opening, vendor.chunk(0)]));
  await stream.commit();
  stream.render(
    chunkRenderer({
      served: servedBy(attempt),
      stream: { routing: () => [] },
      usage: { isIncluded: false, before: {} },
      reasoning: reasoningViewFor({ model: 'm', messages: [] }, { headers: {} }),
    }),
  );
  const cancel = () => stream.cancel(new UpstreamFailure('left', 'was closed'));
  const form =
    spoken === undefined
      ? openAiAnswerForm.stream()
      : dialectStream(spoken.stream(), { ...spoken, answered: () => {} });
  const body = new StreamBody({ source: { read: () => stream.read(), cancel }, form, keepAliveMs: 60_000 });
  await body.next();
  return {
    async pass(read) {
      const next = body.next();
      call.onResponseData(socket, read);
      return (await next).value ?? new Uint8Array();
    },
    close: () => body.return(),
  };
}

/** A request in the vendor's own API. */
function requestOf({ providerId, modelName: model }: VendorStream): DialectCall {
  const isGoogle = providerId === 'google';
  const body = isGoogle
    ? { contents: [{ parts: [{ text: 'Hello' }] }] }
    : { model, max_tokens: 100, messages: [{ role: 'user', content: 'Hello' }] };
  return (isGoogle ? geminiDialect : messagesDialect).read({
    bytes: Buffer.from(JSON.stringify(body)),
    body,
    path: `${model}:streamGenerateContent`,
    query: new URLSearchParams('alt=sse'),
    headers: {},
    now: () => 1,
    newId: () => 'bench',
  });
}

function nativeOf({ providerId, modelName }: VendorStream, spoken: DialectCall | undefined) {
  const offer = offerOf(providerId, { modelName });
  const request = spoken?.native;
  return { native: request && nativeAttempt({ request, stream: true, model: {}, offer }) };
}

/** A connection stub that is never paused or aborted. */
const socket: Dispatcher.DispatchController = {
  aborted: false,
  paused: false,
  reason: null,
  abort: () => {},
  pause: () => {},
  resume: () => {},
};

function attemptAt({ providerId, modelName }: VendorStream, call: UpstreamCall): Attempt {
  const provider = findChatProvider(providerId);
  if (provider === undefined) throw new Error(`There is no provider ${providerId}.`);
  const offer = offerOf(providerId, { modelName });
  const chat = { request: { model: modelName, messages: [{ role: 'user' as const, content: 'Hello' }] }, stream: true };
  const pools = createPools({ connectMs: 1 });
  return {
    equipment: {
      pools,
      images: createImageInliner(createImageFetcher()),
      timeouts: defaultTimeouts,
      maxResponseBytes: endless,
      maxFrameBytes: endless,
    },
    provider,
    offer,
    chat,
    call,
    target: { origin: 'http://127.0.0.1', pathPrefix: '', headers: {} },
    context: { call: chat, offer, completionId: 'chatcmpl-bench', created: 1 },
    signal: new AbortController().signal,
    status: 200,
    stopped: undefined,
    accepted: { count: 1 },
    connections: [],
    bounds: { prompt: endless, completion: endless },
  };
}

function servedBy({ offer, chat }: Attempt): ServedChat {
  const model = modelOf(chat.request.model, [offer]);
  return {
    head: { requestId: 'req_bench', timeoutMs: endless, headers: {} },
    plan: {
      model,
      priceVersion: 'Vd8xW2kq',
      requestedModel: model.id,
      requestedProvider: undefined,
      fallback: 'any-failure',
      candidates: [],
      excluded: [],
      maxAttempts: 1,
      weights: { from: 'operator', values: defaultRouting.weights },
    },
    offer,
    completionId: 'chatcmpl-bench',
  };
}
