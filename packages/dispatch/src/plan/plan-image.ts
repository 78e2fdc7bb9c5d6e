import type { GatewayError, Model, Offer, Principal } from '@switchyard/contracts';
import type { Need } from './needs.ts';
import { type Plan, type PlanGround, planChat } from './plan.ts';
import { imagePrice } from '@switchyard/pricing';

export interface ImagePlanQuestion {
  /** `model` as the client wrote it; `auto` is the settings' choice. */
  model: string;
  /** Images are given that are to be changed. */
  editing: boolean;
  /** Why an offer cannot make exactly this, in words for the client. */
  refusal?: ((offer: Offer) => GatewayError | undefined) | undefined;
  principal?: Principal | undefined;
  /** `X-No-Fallback: true`. */
  noFallback: boolean;
}

/** Which offers to try for an image, in which order, and why: pure. Throws as `planChat` does. */
export function planImage(
  { model, editing, refusal, principal, noFallback }: ImagePlanQuestion,
  ground: PlanGround,
): Plan {
  const { settings } = ground;
  const question = {
    model: model === 'auto' ? settings.imageAutoModel : model,
    needs: editing ? [imageOutput, imageInput] : [imageOutput],
    refusal,
    principal,
    noFallback,
    priceOf: imagePrice,
  };
  const weights = { ...settings.weights, price: settings.imagePriceWeight };
  const plan = planChat(question, { ...ground, settings: { ...settings, weights } });
  return { ...plan, requestedModel: model };
}

const imageOutput: Need = {
  param: 'model',
  what: 'image output',
  met: ({ outputModalities }: Model) => outputModalities.includes('image'),
};

const imageInput: Need = { param: 'images', what: 'image input', met: (_model, offer) => offer.vision };
