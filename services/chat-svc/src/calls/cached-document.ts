import type { ExchangeAnswer } from '@tallyport/bus';
import { hitHeaders, jsonHeaders, metadataOf, offerOf, type ServedRequest, slicedAnswer } from '@tallyport/serving';
import type { Entry } from '@tallyport/serving/cache';
import type { CallRecipient } from './call-endpoint.ts';

interface PaidDocument {
  usage: object;
}

/** The document of another request's answer, for a request that it costs nothing. */
export const cachedDocument = (kept: PaidDocument, served: ServedRequest): object => ({
  ...kept,
  usage: { ...kept.usage, cost: 0 },
  metadata: { ...metadataOf(served, []), cached: true },
});

/** The same as an answer. Throws if the entry holds no document. */
export function documentFromCache({ body, provider }: Entry, { head, plan, planMs }: CallRecipient): ExchangeAnswer {
  const kept = JSON.parse(body.toString('utf8'));
  const served = { head, plan, offer: offerOf(plan, provider) };
  return slicedAnswer({ status: 200, headers: { ...jsonHeaders, ...hitHeaders(served, planMs) } }, [
    Buffer.from(JSON.stringify(cachedDocument(kept, served))),
  ]);
}
