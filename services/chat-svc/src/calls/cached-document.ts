import { metadataOf, type ServedRequest } from '@tallyport/serving';

interface PaidDocument {
  usage: object;
}

/** The document of another request's answer, for a request that it costs nothing. */
export const cachedDocument = (kept: PaidDocument, served: ServedRequest): object => ({
  ...kept,
  usage: { ...kept.usage, cost: 0 },
  metadata: { ...metadataOf(served, []), cached: true },
});
