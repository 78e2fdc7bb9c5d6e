import type { GatewayError, Offer } from '@tallyport/contracts';
import {
  findImageProvider,
  type ImageCall,
  type ImageProvider,
  issueError,
  validateImageCall,
} from '@tallyport/providers';
import type { Targets } from '../targets/targets.ts';

/** Returns why an offer's provider cannot make exactly these images; `undefined` if it can, or if it has no adapter. */
export const imageRefusalIn =
  (call: ImageCall, targets: Pick<Targets<ImageProvider>, 'custom'>) =>
  (offer: Offer): GatewayError | undefined => {
    const provider = findImageProvider(offer.providerId) ?? targets.custom?.(offer.providerId);
    const [issue] = provider === undefined ? [] : validateImageCall(call, provider.abilities(offer), offer);
    return issue && issueError(issue);
  };
