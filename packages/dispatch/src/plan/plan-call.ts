import { GatewayError, type Offer, type OwnModality, type Principal } from '@tallyport/contracts';
import { type ChatProvider, findChatProvider } from '@tallyport/providers';
import type { Targets } from '../targets/targets.ts';
import type { ProviderPreferences } from '@tallyport/wire';
import { refuseUnanswerable } from './answerable.ts';
import type { Fallback } from './fallback.ts';
import type { Need } from './needs.ts';
import { type Plan, type PlanGround, type PlanQuestion, planChat } from './plan.ts';
import { unlisted } from './unknown-model.ts';

/** A request to an endpoint that has models of its own, such as embeddings. */
export interface CallQuestion<Call> {
  /** `model` as the client wrote it. */
  model: string;
  call: Call;
  principal?: Principal | undefined;
  /** What the client asks for; `undefined`: the setting decides. See `askedFallback`. */
  fallback: Fallback | undefined;
  preferences?: ProviderPreferences | undefined;
  /** Offers that have their turn already. */
  tried?: ReadonlySet<Offer> | undefined;
}

/** What the offers of a call must be able to do. */
export interface CallDemands {
  modality: OwnModality;
  /** Why an offer cannot serve exactly this call, given an adapter that has the modality. */
  refusal(provider: ChatProvider, offer: Offer): GatewayError | undefined;
}

/**
 * Plans a call. Only offers of the requested model are candidates, because results of different models cannot be
 * compared. Pure. Throws like `planChat`.
 */
export const planCall = (
  question: Omit<CallQuestion<unknown>, 'call'>,
  demands: CallDemands,
  tools: { targets: Pick<Targets, 'custom'>; ground: PlanGround },
): Plan => planChat(callQuestionOf(question, demands, tools.targets), tools.ground);

/** The question that `planCall` answers. */
export function callQuestionOf(
  { model, principal, fallback, preferences, tried }: Omit<CallQuestion<unknown>, 'call'>,
  { modality, refusal }: CallDemands,
  targets: Pick<Targets, 'custom'>,
): PlanQuestion {
  refuseUnanswerable(modality, preferences);
  const refusalAt = (offer: Offer): GatewayError | undefined => {
    const { providerId } = offer;
    const provider = findChatProvider(providerId) ?? targets.custom?.(providerId);
    if (provider?.[modality] !== undefined) return refusal(provider, offer);
    const message = `This gateway makes no ${modality} with ${providerId}. Use another model or provider.`;
    return unsupportedCall('model', message);
  };
  return { model, needs: [outputOf(modality)], refusal: refusalAt, principal, fallback, preferences, tried };
}

const outputOf = (modality: OwnModality): Need => ({
  param: 'model',
  what: modality,
  message: ({ id }) => `'${id}' does not make ${modality}. Use a model whose output modality is \`${modality}\`.`,
  met: ({ outputModalities, stability }) => outputModalities.includes(modality) || stability === unlisted,
});

/** The refusal of a member that the provider does not support with this model; `undefined` without one. */
export const memberRefusal = (member: string | undefined, { modelName, providerId }: Offer): GatewayError | undefined =>
  member === undefined
    ? undefined
    : unsupportedCall(member, `'${modelName}' at ${providerId} does not support \`${member}\`. Leave it out.`);

export const unsupportedCall = (param: string, message: string): GatewayError =>
  new GatewayError('unsupported_capability', message, { param });
