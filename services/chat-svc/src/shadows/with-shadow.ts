import type { RequestHead } from '@tallyport/contracts';
import type { HoldBytes, PlannedRoute } from '@tallyport/dispatch';
import { shadowOf } from '@tallyport/routes';
import type { PaidRequest } from '@tallyport/serving';
import { shadowHead } from './shadow-head.ts';
import type { Shadows } from './shadows.ts';

export interface ShadowTools {
  shadows: Shadows;
}

/** The request as it is planned for a shadow. */
export interface ShadowedRequest {
  model: string;
  head: RequestHead;
  route: PlannedRoute;
  holdBytes: HoldBytes;
}

interface Received {
  head: RequestHead;
  /** The size of the request. */
  bytes: number;
  /** Plans the request for its shadow. Throws if the model cannot serve it, or the caller may not use it. */
  plan(request: ShadowedRequest): Promise<PaidRequest>;
}

/** A request of which the shadow of its route gets a copy, if it is in the share, as soon as it is admitted itself. */
export function withShadow(
  { shadows }: ShadowTools,
  request: PaidRequest,
  { head, bytes, plan }: Received,
): PaidRequest {
  const { route } = request.plan;
  const { principal } = head;
  if (route?.owner !== 'account' || principal === undefined) return request;
  const shadow = shadowOf(route, head.requestId);
  if (shadow === undefined) return request;
  const { model, payer } = shadow;
  return {
    ...request,
    attempt(life) {
      // A line of a batch had its copy when it was left to the batch.
      if (life.detour?.kind === 'answered') return request.attempt(life);
      if (payer === undefined) shadows.refused();
      else {
        const own = shadowHead({ head, principal, route: route.name, payer });
        const shadowed = { model, head: own, route: { ...route, target: model, reason: 'shadow' } };
        shadows.start({ head: own, bytes, plan: (holdBytes) => plan({ ...shadowed, holdBytes }) });
      }
      return request.attempt(life);
    },
  };
}
