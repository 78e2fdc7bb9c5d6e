import { GatewayError, type Offer } from '@tallyport/contracts';

/** The refusal of an offer that another model of the request brought before. */
export const triedBefore = (offer: Offer, tried: ReadonlySet<Offer> | undefined): GatewayError | undefined =>
  tried?.has(offer) === true
    ? new GatewayError('unsupported_capability', 'Its offers have their turn already.', { param: 'model' })
    : undefined;
