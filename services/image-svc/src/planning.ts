import {
  askedFallback,
  imageRefusalIn,
  type Plan,
  type PlanGround,
  planImage,
  type Targets,
} from '@tallyport/dispatch';
import type { ImageProvider } from '@tallyport/providers';
import type { PlannedImages } from './planned-images.ts';

type ReadImages = Pick<PlannedImages, 'head' | 'operation' | 'request'>;

/** Plans an image request. Throws like `planImage`. */
export function planImages(
  { head, operation, request }: ReadImages,
  targets: Pick<Targets<ImageProvider>, 'custom'>,
  ground: PlanGround,
): Plan {
  const question = {
    model: request.model,
    editing: operation === 'edit',
    refusal: imageRefusalIn(request.call, targets),
    principal: head.principal,
    fallback: askedFallback(head),
  };
  return planImage(question, ground);
}
