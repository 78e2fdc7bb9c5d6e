import type { Principal } from '@tallyport/contracts';
import { withoutExploring } from '@tallyport/dispatch';
import type { RouteGround } from '@tallyport/serving';
import type { Upstreams } from '@tallyport/serving/upstreams';
import type { PromptAffinity } from '../affinity/prompt-affinity.ts';
import type { ExplainGrounds } from './explained-plans.ts';

export interface ExplainTools extends RouteGround {
  affinity: PromptAffinity;
}

/** What requests of this caller are planned with, without being sent. */
export async function explainGrounds(
  { groundFor, imageGroundFor, dispatchOptions, imageDispatchOptions }: Upstreams,
  { affinity, routes, budgetLeft }: ExplainTools,
  { principal, whatIfs }: { principal: Principal | undefined; whatIfs?: ExplainGrounds['chats']['whatIfs'] },
): Promise<ExplainGrounds> {
  // The plan that nearly every request gets.
  return {
    chats: { ...withoutExploring(await groundFor(principal)), ...(whatIfs && { whatIfs }) },
    images: { ...withoutExploring(await imageGroundFor(principal)), ...(whatIfs && { whatIfs }) },
    targets: dispatchOptions.targets,
    imageTargets: imageDispatchOptions.targets,
    affinity,
    routes,
    budgetLeft,
  };
}
