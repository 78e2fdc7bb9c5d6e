import type { Offer } from '@tallyport/contracts';
import {
  askedFallback,
  imageRefusalIn,
  type Plan,
  type PlanGround,
  type PlannedRoute,
  planImage,
  routedPlan,
  type Targets,
  untakenOfImages,
} from '@tallyport/dispatch';
import type { ImageProvider } from '@tallyport/providers';
import type { ImageRequest } from './request/image-request.ts';
import type { PlannedImages } from './planned-images.ts';

interface ReadImages extends Pick<PlannedImages, 'head' | 'operation' | 'request'> {
  /** The model that they are planned with, and what the request asks of its offers. */
  named: Pick<ImageRequest, 'model' | 'preferences'>;
  /** The route that led to the model. */
  route: PlannedRoute | undefined;
  /** Offers that have their turn already. */
  tried: ReadonlySet<Offer>;
}

/** Plans an image request. Throws like `planImage`. */
export function planImages(
  { head, operation, request, named, route, tried }: ReadImages,
  targets: Pick<Targets<ImageProvider>, 'custom'>,
  ground: PlanGround,
): Plan {
  const question = {
    ...named,
    editing: operation === 'edit',
    refusal: imageRefusalIn(request.call, targets),
    untaken: untakenOfImages(request.call, targets),
    tried,
    principal: head.principal,
    fallback: askedFallback(head),
  };
  return routedPlan(planImage(question, ground), route);
}
