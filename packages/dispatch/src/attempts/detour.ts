import type { GatewayError, Offer } from '@tallyport/contracts';
import type { OwnRequest } from '../targets/request-to.ts';
import type { Target } from '../targets/targets.ts';

/** One call as it would be sent. */
export interface TakenCall {
  offer: Offer;
  target: Target;
  request: OwnRequest;
}

/**
 * How a request's only call is made elsewhere, in a batch of the vendor: it is taken before it is sent, and the request is
 * served once more when its answer is there. Calls of a request that takes several are sent as usual.
 */
export type Detour =
  | {
      readonly kind: 'take';
      /** Returns why the request ends here, or `undefined` for a call that is to be sent. */
      take(call: TakenCall): GatewayError | undefined;
    }
  | {
      readonly kind: 'answered';
      readonly providerId: string;
      /** The vendor's name. */
      readonly model: string;
      /** See `targetKey`. */
      readonly key: string;
      /** The vendor's answer, whose status was a success. */
      readonly body: Buffer;
    };
