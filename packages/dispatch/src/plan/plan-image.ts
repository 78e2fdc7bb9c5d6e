import { GatewayError, type Model, type Offer, type Principal } from '@tallyport/contracts';
import type { ProviderPreferences } from '@tallyport/wire';
import { refuseUnanswerable } from './answerable.ts';
import type { Fallback } from './fallback.ts';
import type { Need } from './needs.ts';
import { modelsFor, type Plan, type PlanGround, planChat, type PlanQuestion } from './plan.ts';
import type { Untaken } from './untaken.ts';
import { imagePrice } from '@tallyport/pricing';

export interface ImagePlanQuestion {
  /** `model` as the client wrote it; `auto` selects the model of the settings. */
  model: string;
  /** The request includes images to edit. */
  editing: boolean;
  /** Why an offer cannot make exactly these images, as an error for the client. */
  refusal?: ((offer: Offer) => GatewayError | undefined) | undefined;
  /** The member of the request that an offer's provider would not get. See `untakenOfImages`. */
  untaken?: Untaken | undefined;
  /** Offers that have their turn already. */
  tried?: ReadonlySet<Offer> | undefined;
  principal?: Principal | undefined;
  /** What the client asks for; `undefined`: the setting decides. See `askedFallback`. */
  fallback: Fallback | undefined;
  preferences?: ProviderPreferences | undefined;
}

/** Plans an image request. Pure. Throws like `planChat`; if the model cannot be called, the error names some that can. */
export function planImage(
  { model, editing, refusal, untaken, tried, principal, fallback, preferences }: ImagePlanQuestion,
  ground: PlanGround,
): Plan {
  const { settings } = ground;
  refuseUnanswerable('images', preferences);
  const question = {
    model: model === 'auto' ? settings.imageAutoModel : model,
    needs: editing ? [imageOutput, imageInput] : [imageOutput],
    refusal,
    untaken,
    tried,
    principal,
    fallback,
    preferences,
    priceOf: imagePrice,
  };
  const weights = { ...settings.weights, price: settings.imagePriceWeight };
  const imageGround = { ...ground, settings: { ...settings, weights } };
  try {
    return { ...planChat(question, imageGround), requestedModel: model };
  } catch (thrown) {
    throw withCallable(thrown, question, imageGround);
  }
}

const mostNamed = 5;

/** Adds the models that could make these images to an error about the model, unless the name itself is unknown. */
function withCallable(thrown: unknown, question: PlanQuestion, ground: PlanGround): unknown {
  if (!(thrown instanceof GatewayError) || thrown.param !== 'model' || !isKnown(question, ground)) return thrown;
  const names = currentFirst(modelsFor(question, ground)).map(({ id }) => id);
  if (names.length === 0) return thrown;
  const shown = names.slice(0, mostNamed).join(', ');
  const message = `${thrown.message} Image models that can be called: ${shown}${names.length > mostNamed ? ' …' : ''}.`;
  return new GatewayError(thrown.code, message, { ...thrown, cause: thrown });
}

const currentFirst = (models: readonly Model[]): readonly Model[] =>
  models.toSorted((one, other) => Number(isEnding(one)) - Number(isEnding(other)));

const isEnding = ({ stability }: Model): boolean => stability === 'deprecated';

const isKnown = ({ model }: PlanQuestion, { index, settings }: PlanGround): boolean =>
  [model, model.slice(model.indexOf('/') + 1)].some((name) => index.find(name)) || model === settings.imageAutoModel;

const imageOutput: Need = {
  param: 'model',
  what: 'image output',
  message: ({ id }) => `'${id}' cannot make images.`,
  met: ({ outputModalities }: Model) => outputModalities.includes('image'),
};

const imageInput: Need = { param: 'images', what: 'image input', met: (_model, offer) => offer.vision };
