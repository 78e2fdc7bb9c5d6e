import type { GatewayError, Offer } from '@switchyard/contracts';
import { findImageProvider, type ImageCall, type ImageProvider, issueError, judgeImages } from '@switchyard/providers';
import type { Targets } from '../targets/targets.ts';

/** Why the provider of an offer cannot make exactly these images; `undefined` where it can, or where there is none. */
export const imageRefusalIn =
  (call: ImageCall, targets: Pick<Targets<ImageProvider>, 'custom'>) =>
  (offer: Offer): GatewayError | undefined => {
    const provider = findImageProvider(offer.providerId) ?? targets.custom?.(offer.providerId);
    const [issue] = provider === undefined ? [] : judgeImages(call, provider.abilities(offer), offer);
    return issue && issueError(issue);
  };
