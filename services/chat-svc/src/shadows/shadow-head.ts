import type { Principal, RequestHead } from '@tallyport/contracts';
import type { RouteShadow } from '@tallyport/routes';
import { withoutClientLimits } from '@tallyport/serving/metering';

type Payer = NonNullable<RouteShadow['payer']>;

interface ShadowedHead {
  head: RequestHead;
  principal: Principal;
  route: string;
  payer: Payer;
}

/** The longest time of a shadow, which also ends with the time that its request had. */
const longestMs = 120_000;

/**
 * The head of a shadow: it may use what the caller may use, at one provider. The project of the shadow pays instead of the
 * caller's key, project and end user, so its records are not of the key, whose budget is compared with the sum of them.
 */
export function shadowHead({ head, principal, route, payer: { projectId, budget } }: ShadowedHead): RequestHead {
  const { budgets, ...caller } = withoutClientLimits(principal);
  return {
    ...head,
    timeoutMs: Math.min(head.timeoutMs, longestMs),
    headers: { ...head.headers, 'x-no-fallback': 'true' },
    principal: {
      ...caller,
      keyId: `shadow_${route}`,
      projectId,
      budgets: { ...(budget && { project: budget }), ...(budgets?.account && { account: budgets.account }) },
    },
  };
}
