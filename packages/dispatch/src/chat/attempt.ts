import type { ChatCall, ChatProvider, TranslationContext } from '@switchyard/providers';
import type { ImageInliner } from '../inline/image-inliner.ts';
import { type OpenedResponse, type UpstreamTry, openRequest } from '../attempts/open-request.ts';
import type { Timeouts } from '../attempts/timeouts.ts';
import type { Pools } from '../upstream/pools.ts';

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

/** One try of one offer for a chat. */
export interface Attempt extends UpstreamTry {
  equipment: Equipment;
  provider: ChatProvider;
  chat: ChatCall;
  context: TranslationContext;
  /** The request's: aborts when the client leaves. */
  signal: AbortSignal;
}

/** Sends the request and waits for a good status. Throws what the provider's error means, or UpstreamFailure. */
export async function openResponse(attempt: Attempt): Promise<OpenedResponse> {
  const prepared = withOwnImages(attempt);
  if (prepared !== undefined) await prepared;
  const { chat, provider, offer, equipment } = attempt;
  const { firstByteMs, plainFirstByteMs } = equipment.timeouts;
  return openRequest(attempt, () => provider.request(chat, offer), chat.stream ? firstByteMs : plainFirstByteMs);
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
