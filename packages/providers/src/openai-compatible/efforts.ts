import type { Offer } from '@tallyport/contracts';
import type { ChatRequest } from '@tallyport/wire';
import { type Effort, requestedThinking } from '../conversation/requested-thinking.ts';
import type { ChatCall } from '../spec/provider.ts';
import { members, type Members, finiteNumber } from '../read.ts';
import type { VendorBody } from './vendor-body.ts';

/** The members to send for each effort. */
type Efforts = Readonly<Partial<Record<Effort, Members>>>;

/** How the requested effort is sent to a vendor. */
export interface EffortRules {
  /**
   * The members for each `reasoning_effort`. An effort that is not listed is left out; members the client set take
   * precedence. `offered`: the efforts of the catalogue's offer.
   */
  efforts?: Efforts | 'offered';
  /** The member for the thinking budget of `reasoning.max_tokens`. */
  budget?: string;
}

/** Whether the model will think: reasoning models do unless the request switches it off. */
export const thinks = (call: ChatCall, offer: Offer): boolean => offer.reasoning && !isSwitchedOff(call);

export const isSwitchedOff = ({ request }: ChatCall): boolean =>
  requestedThinking(request)?.effort === 'none' || members(request.thinking).type === 'disabled';

const ladder = ['minimal', 'low', 'medium', 'high', 'xhigh', 'max'] as const satisfies readonly Effort[];

/** For vendors that support only some efforts: any other becomes the next lower one, or the lowest. */
export function knownEfforts(...known: readonly Effort[]): Efforts {
  const lowest = ladder.find((effort) => known.includes(effort));
  const nearest = (place: number) => ladder.findLast((effort, at) => at <= place && known.includes(effort)) ?? lowest;
  const efforts: Partial<Record<Effort, Members>> = Object.fromEntries(
    ladder.map((effort, place) => [effort, { reasoning_effort: nearest(place) }]),
  );
  return known.includes('none') ? { ...efforts, none: { reasoning_effort: 'none' } } : efforts;
}

/** Models that cannot stop thinking get their lowest effort. If the offer lists no efforts, all are sent unchanged. */
function offeredEfforts({ reasoning, reasoningEfforts }: Offer): Efforts | undefined {
  if (!reasoning) return {};
  if (reasoningEfforts === undefined) return undefined;
  const known = ladder.filter((effort) => reasoningEfforts.includes(effort));
  const efforts = knownEfforts(...known);
  return { ...efforts, none: reasoningEfforts.includes('none') ? { reasoning_effort: 'none' } : efforts.minimal };
}

/** For vendors whose thinking is either on or off. */
export const switchedEfforts = (on: Members, off: Members): Efforts => ({
  none: off,
  ...Object.fromEntries(ladder.map((effort) => [effort, on])),
});

/** The switch that several vendors share. */
export const thinkingSwitch = switchedEfforts({ thinking: { type: 'enabled' } }, { thinking: { type: 'disabled' } });

/** Rules for requests in which the model must not think, regardless of the requested effort. */
export const noThinking = { efforts: {}, add: { thinking: { type: 'disabled' } } };

interface EffortRequest {
  reasoning: ChatRequest['reasoning'];
  offer: Offer;
  rules: readonly EffortRules[];
}

/** Adds the effort and the budget. The last rules that define them apply. */
export function applyEffort(body: VendorBody, { reasoning, offer, rules }: EffortRequest): void {
  if (body.reasoning_effort !== undefined) translateEffort(body, offer, rules);
  const budget = rules.findLast((rule) => rule.budget !== undefined)?.budget;
  const most = finiteNumber(reasoning?.max_tokens);
  if (budget !== undefined && most !== undefined) body[budget] ??= most;
}

function translateEffort(body: VendorBody, offer: Offer, rules: readonly EffortRules[]): void {
  const last = rules.findLast((rule) => rule.efforts !== undefined)?.efforts;
  const efforts = last === 'offered' ? offeredEfforts(offer) : last;
  if (efforts === undefined) return;
  const effort = membersFor(efforts, body.reasoning_effort);
  delete body.reasoning_effort;
  for (const name of Object.keys(effort)) if (!(name in body)) body[name] = effort[name];
}

const membersFor = (efforts: Efforts, effort: unknown): Members =>
  members(Object.entries(efforts).find(([name]) => name === effort)?.[1]);
