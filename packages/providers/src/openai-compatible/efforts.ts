import type { Offer } from '@switchyard/contracts';
import type { ChatRequest } from '@switchyard/wire';
import type { Effort } from '../conversation/thinking-wish.ts';
import type { ChatCall } from '../provider.ts';
import { members, type Members, finiteNumber } from '../read.ts';
import type { VendorBody } from './vendor-body.ts';

/** What a vendor is told for each effort. */
export type Efforts = Readonly<Partial<Record<Effort, Members>>>;

/** How a request says to a vendor how much to think. */
export interface EffortRules {
  /** What each `reasoning_effort` becomes. One that is not listed is left out; members the client set itself win. */
  efforts?: Efforts;
  /** Where a budget of thinking, `reasoning.max_tokens`, is said. */
  budget?: string;
}

/** Whether the model will think about this request: reasoning models do, unless asked not to. */
export const thinks = ({ request }: ChatCall, offer: Offer): boolean =>
  offer.reasoning &&
  (request.reasoning_effort ?? request.reasoning?.effort) !== 'none' &&
  members(request.thinking).type !== 'disabled';

const ladder = ['minimal', 'low', 'medium', 'high', 'xhigh', 'max'] as const satisfies readonly Effort[];

/** For vendors that know only some efforts: others become the next lower one, or the lowest there is. */
export function knownEfforts(...known: readonly Effort[]): Efforts {
  const lowest = ladder.find((effort) => known.includes(effort));
  const nearest = (place: number) => ladder.findLast((effort, at) => at <= place && known.includes(effort)) ?? lowest;
  const efforts: Partial<Record<Effort, Members>> = Object.fromEntries(
    ladder.map((effort, place) => [effort, { reasoning_effort: nearest(place) }]),
  );
  return known.includes('none') ? { ...efforts, none: { reasoning_effort: 'none' } } : efforts;
}

/** For vendors whose thinking is either on or off. */
export const switchedEfforts = (on: Members, off: Members): Efforts => ({
  none: off,
  ...Object.fromEntries(ladder.map((effort) => [effort, on])),
});

/** The switch as several vendors have it. */
export const thinkingSwitch = switchedEfforts({ thinking: { type: 'enabled' } }, { thinking: { type: 'disabled' } });

/** Rules for requests in which the model must not think, whatever was asked. */
export const noThinking = { efforts: {}, add: { thinking: { type: 'disabled' } } };

/** Says the effort, and the budget, as the last rules that know of them want it. */
export function applyEffort(
  body: VendorBody,
  reasoning: ChatRequest['reasoning'],
  rules: readonly EffortRules[],
): void {
  const efforts = rules.findLast((rule) => rule.efforts !== undefined)?.efforts;
  if (efforts !== undefined) {
    const effort = body.reasoning_effort;
    delete body.reasoning_effort;
    Object.assign(body, { ...told(efforts, effort), ...body });
  }
  const budget = rules.findLast((rule) => rule.budget !== undefined)?.budget;
  const most = finiteNumber(reasoning?.max_tokens);
  if (budget !== undefined && most !== undefined) body[budget] ??= most;
}

const told = (efforts: Efforts, effort: unknown): Members =>
  members(Object.entries(efforts).find(([name]) => name === effort)?.[1]);
