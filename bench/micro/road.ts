import { findChatProvider } from '@switchyard/providers';
import type { Dispatcher } from 'undici';
import { defaultTimeouts } from '../../packages/dispatch/src/attempts/timeouts.ts';
import type { Attempt } from '../../packages/dispatch/src/chat/attempt.ts';
import { ChatStream } from '../../packages/dispatch/src/chat/stream/chat-stream.ts';
import { UpstreamFailure } from '../../packages/dispatch/src/failure/upstream-failure.ts';
import { createImageFetcher } from '../../packages/dispatch/src/inline/image-fetcher.ts';
import { createImageInliner } from '../../packages/dispatch/src/inline/image-inliner.ts';
import { modelOf, offerOf } from '../../packages/contracts/src/testing/index.ts';
import { UpstreamCall } from '../../packages/dispatch/src/upstream/call.ts';
import { createPools } from '../../packages/dispatch/src/upstream/pools.ts';
import { chunkRenderer } from '../../services/chat-svc/src/answer/chunk.ts';
import type { ServedChat } from '../../services/chat-svc/src/answer/served-chat.ts';
import { StreamBody } from '../../packages/serving/src/index.ts';
import type { VendorStream } from './chunks.ts';

/** Everything a chunk passes in chat-svc between the HTTP client and the bus. Both of them are left out. */
export interface Road {
  /** What one read of the socket brought, and what the client gets for it. */
  pass(read: Buffer): Promise<Uint8Array>;
  leave(): Promise<unknown>;
}

const endless = 1e12;

export async function openRoad(vendor: VendorStream): Promise<Road> {
  const call = new UpstreamCall(endless);
  call.onRequestStart(socket);
  call.onResponseStart(socket, 200, {});
  const attempt = attemptAt(vendor, call);
  const stream = new ChatStream(attempt, { call, head: await call.head(), body: call });
  call.onResponseData(socket, Buffer.concat([vendor.opening, vendor.chunk(0)]));
  await stream.commit();
  stream.render(chunkRenderer({ served: servedBy(attempt), stream: { routing: () => [] }, includeUsage: false }));
  const cancel = () => stream.cancel(new UpstreamFailure('left', 'was left'));
  const body = new StreamBody({ source: { read: () => stream.read(), cancel }, keepAliveMs: 60_000 });
  await body.next();
  return {
    async pass(read) {
      const next = body.next();
      call.onResponseData(socket, read);
      return (await next).value ?? new Uint8Array();
    },
    leave: () => body.return(),
  };
}

/** Stands for the connection: nothing is ever paused, nothing is there to abort. */
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
  };
}

function servedBy({ offer, chat }: Attempt): ServedChat {
  const model = modelOf(chat.request.model, [offer]);
  return {
    head: { requestId: 'req_bench', timeoutMs: endless, headers: {} },
    plan: {
      model,
      requestedModel: model.id,
      requestedProvider: undefined,
      candidates: [],
      excluded: [],
      maxAttempts: 1,
    },
    offer,
    completionId: 'chatcmpl-bench',
  };
}
