import type { Offer } from '@switchyard/contracts';
import { type ChatCall, findChatProvider } from '@switchyard/providers';

/** What the provider of an offer cannot honour of this chat, where leaving it out would change what the answer means. */
export const unsupportedByOffer =
  (call: ChatCall) =>
  (offer: Offer): string | undefined =>
    findChatProvider(offer.providerId)?.unsupported?.(call, offer);
