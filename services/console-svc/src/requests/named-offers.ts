import type { RequestRecord } from '@tallyport/management';

/** Of a request that named several models, each provider is shown with the model that it was asked for. */
export function withNamedOffers(request: RequestRecord): RequestRecord {
  const { plan, attempts, model } = request;
  const isOneModel = (plan?.offers ?? attempts).every((each) => each.model === undefined || each.model === model);
  if (isOneModel) return request;
  const named = <Offer extends { provider: string; model?: string | undefined }>(offer: Offer): Offer => ({
    ...offer,
    provider: offer.provider === '' ? (offer.model ?? model) : `${offer.provider}/${offer.model ?? model}`,
  });
  return {
    ...request,
    attempts: attempts.map(named),
    ...(plan && { plan: { ...plan, offers: plan.offers.map(named) } }),
  };
}
