import type { GatewayError, Model, Offer, Principal } from '@tallyport/contracts';
import type { RoutingSettings } from '../settings.ts';
import type { Fallback } from './fallback.ts';
import type { Need } from './needs.ts';
import { type Plan, type PlanGround, planChat } from './plan.ts';
import { imagePrice } from '@tallyport/pricing';

export interface ImagePlanQuestion {
  /** `model` as the client wrote it; `auto` selects the model of the settings. */
  model: string;
  /** The request includes images to edit. */
  editing: boolean;
  /** Why an offer cannot make exactly these images, as an error for the client. */
  refusal?: ((offer: Offer) => GatewayError | undefined) | undefined;
  principal?: Principal | undefined;
  /** What the client asks for; `undefined`: the setting decides. See `askedFallback`. */
  fallback: Fallback | undefined;
}

/** Plans an image request. Pure. Throws like `planChat`. */
export function planImage(
  { model, editing, refusal, principal, fallback }: ImagePlanQuestion,
  ground: PlanGround,
): Plan {
  const { settings } = ground;
  const question = {
    model: model === 'auto' ? settings.imageAutoModel : model,
    needs: editing ? [imageOutput(settings), imageInput] : [imageOutput(settings)],
    refusal,
    principal,
    fallback,
    priceOf: imagePrice,
  };
  const weights = { ...settings.weights, price: settings.imagePriceWeight };
  const plan = planChat(question, { ...ground, settings: { ...settings, weights } });
  return { ...plan, requestedModel: model };
}

const imageOutput = ({ imageAutoModel }: RoutingSettings): Need => ({
  param: 'model',
  what: 'image output',
  message: ({ id }) =>
    `'${id}' cannot make images. Use 'auto', '${imageAutoModel}' or another model with image output.`,
  met: ({ outputModalities }: Model) => outputModalities.includes('image'),
});

const imageInput: Need = { param: 'images', what: 'image input', met: (_model, offer) => offer.vision };
