import type { UsageBounds } from '@tallyport/pricing';
import { type ChatCall, type ChatProvider, namedTier, type TranslationContext } from '@tallyport/providers';
import type { Usage } from '@tallyport/wire';
import type { Pools } from '@tallyport/outbound';
import type { ImageInliner } from '../inline/image-inliner.ts';
import { type UpstreamTry, openRequest } from '../attempts/open-request.ts';
import type { OpenedResponse } from '../attempts/opened-response.ts';
import type { OwnRequest } from '../targets/request-to.ts';
import type { Timeouts } from '../attempts/timeouts.ts';
import { type CacheMarks, withMarks } from './cache-marks.ts';
import type { PlannedJob } from '../attempts/run.ts';
import type { NativeAttempt } from './native/native-attempt.ts';

/** What all attempts share. */
export interface Equipment {
  pools: Pools;
  images: ImageInliner;
  timeouts: Timeouts;
  /** The largest answer read from a provider, encoded or decoded. */
  maxResponseBytes: number;
  /** The largest single event of a stream. */
  maxFrameBytes: number;
}

/** One attempt at one offer for a chat. */
export interface Attempt extends UpstreamTry {
  equipment: Equipment;
  provider: ChatProvider;
  chat: ChatCall;
  /** Set if the request and the answer are passed on unchanged; `chat` serves only for estimates then. */
  native?: NativeAttempt | undefined;
  /** Set if the prompt is marked for the vendor's cache. */
  marks?: CacheMarks | undefined;
  context: TranslationContext;
  /** What was left out after the vendor refused it. */
  leftOut?: string;
  /** The request's signal; aborts when the client leaves. */
  signal: AbortSignal;
  holdBytes?: PlannedJob['holdBytes'];
  holdAnswer?: PlannedJob['holdAnswer'];
  /** The service tier that a header of the answer names, `default` for the standard one. */
  tier?: string | undefined;
  /** Upper bounds for the usage that the provider reports. */
  bounds: UsageBounds;
}

/**
 * Sends the request and waits for a 2xx status. Throws the provider's error as its adapter reads it, or
 * UpstreamFailure.
 */
export function openResponse(attempt: Attempt): Promise<OpenedResponse> {
  const prepared = attempt.native === undefined ? withOwnImages(attempt) : undefined;
  return prepared === undefined ? openPrepared(attempt) : prepared.then(() => openPrepared(attempt));
}

function openPrepared(attempt: Attempt): Promise<OpenedResponse> {
  const { native, chat, marks, provider, offer, equipment } = attempt;
  const { firstByteMs, plainFirstByteMs } = equipment.timeouts;
  const buildRequest = (): OwnRequest => native?.request() ?? provider.request(withMarks(chat, marks), offer);
  const opening = openRequest(attempt, buildRequest, chat.stream ? firstByteMs : plainFirstByteMs);
  const { tierHeader } = provider;
  if (tierHeader === undefined) return opening;
  return opening.then((opened) => {
    attempt.tier = namedTier(opened.head.headers[tierHeader]);
    return opened;
  });
}

/** The usage in the tier that a header names, if the usage names none itself. */
export function inTierOfHeader(usage: Usage, { tier }: Attempt): Usage {
  if (tier === undefined || tier === 'default' || usage.service_tier !== undefined) return usage;
  return { ...usage, service_tier: tier };
}

/**
 * Converts the images to a form this provider accepts. Usually nothing has to change, and it returns without waiting.
 */
export function withOwnImages(attempt: Attempt): Promise<void> | undefined {
  const { chat, provider, equipment } = attempt;
  const request = equipment.images.prepare(chat.request, provider, attempt);
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
