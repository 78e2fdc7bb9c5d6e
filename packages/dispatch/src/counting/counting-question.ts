import { createHash } from 'node:crypto';
import type { Offer } from '@tallyport/contracts';
import {
  type CallSignatures,
  type ChatProvider,
  type CountedRequest,
  type CountingRequest,
  findChatProvider,
  type TokenCounting,
} from '@tallyport/providers';
import type { ChatRequest, NativeRequest } from '@tallyport/wire';
import { nativeRequest } from '../chat/native/native-attempt.ts';
import type { Plan } from '../plan/plan.ts';

/** A prompt to count, planned like a chat. */
export interface CountJob {
  plan: Plan;
  request: ChatRequest;
  native?: NativeRequest | undefined;
  signatures?: CallSignatures | undefined;
}

/** What a provider is asked to count the tokens of a request. */
export interface CountingQuestion {
  request: CountingRequest;
  counting: TokenCounting;
  /** The provider has the client's API, and so has its answer. */
  isNative: boolean;
  /** The same for the same prompt. */
  key: string;
}

/** `undefined` if the provider cannot count the tokens of this request with this model. */
export function countingQuestion(job: CountJob, offer: Offer): CountingQuestion | undefined {
  const provider = findChatProvider(offer.providerId);
  if (provider === undefined) return undefined;
  const passed = nativeRequest({ request: job.native, stream: false, model: job.plan.model, offer });
  const counting = passed === undefined ? provider.counting : passed.format.counting;
  const counted = passed === undefined ? translated(job, provider, offer) : passed.request();
  const request = counted && counting?.request(asCounted(counted), offer);
  if (counting === undefined || request === undefined) return undefined;
  return { request, counting, isNative: passed !== undefined, key: keyOf(offer, request) };
}

interface Sent {
  headers: CountedRequest['headers'];
  body: string | Uint8Array;
}

function translated({ request, signatures }: CountJob, provider: ChatProvider, offer: Offer): Sent {
  return provider.request({ request, stream: false, ...(signatures && { signatures }) }, offer);
}

const asCounted = ({ headers, body }: Sent): CountedRequest => ({ headers, body: Buffer.from(body) });

const keyOf = ({ providerId }: Offer, { path, headers, body }: CountingRequest): string =>
  createHash('sha256')
    .update(JSON.stringify([providerId, path, headers]))
    .update(body)
    .digest('base64');
