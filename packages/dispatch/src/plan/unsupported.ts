import type { Offer } from '@tallyport/contracts';
import { type ChatCall, findChatProvider } from '@tallyport/providers';

/**
 * Returns the member that an offer's provider does not support, if omitting it would change the meaning of the answer.
 */
export const unsupportedByOffer =
  (call: ChatCall) =>
  (offer: Offer): string | undefined =>
    findChatProvider(offer.providerId)?.unsupported?.(call, offer);
