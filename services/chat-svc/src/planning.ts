import type { GatewayError, Model, Offer, RequestHead } from '@tallyport/contracts';
import {
  askedFallback,
  type ImageDispatchOptions,
  imageRefusalIn,
  laneOf,
  needsOf,
  type Plan,
  planChat,
  type PlanGround,
  planImage,
  type Targets,
  untakenOfChat,
  untakenOfImages,
  unsupportedByOffer,
} from '@tallyport/dispatch';
import type { ImageCall } from '@tallyport/providers';
import type { ChatRequest, NativeRequest, ProviderPreferences } from '@tallyport/wire';
import { imageConfigRefusal } from './images/image-modality.ts';

type ImageTargets = ImageDispatchOptions['targets'];

interface TextChatQuestion {
  head: RequestHead;
  request: ChatRequest;
  native?: NativeRequest | undefined;
  /** Why only providers with the client's own API can serve it. */
  untranslatable?: GatewayError | undefined;
  model: Model;
  /** The providers of operators. */
  chatTargets: Pick<Targets, 'custom'>;
  preferences?: ProviderPreferences | undefined;
  /** The offer that has the prompt cached, by its key. */
  cachedAt: string | undefined;
  /** Offers that have their turn already. */
  tried?: ReadonlySet<Offer> | undefined;
}

/** Whether the offer gets the request in the client's own API. */
export const isNative = (native: NativeRequest | undefined, offer: Offer): boolean =>
  native !== undefined && laneOf(native, offer).lane === 'native';

/**
 * Plans a chat that is answered in text. What a chat request cannot express, or an adapter cannot translate, excludes
 * only offers for which the request has to be translated. Throws like `planChat`.
 */
export function planTextChat(
  { head, request, native, untranslatable, model, chatTargets, preferences, cachedAt, tried }: TextChatQuestion,
  targets: ImageTargets,
  ground: PlanGround,
): Plan {
  const streaming = request.stream === true;
  const unsupported = unsupportedByOffer({ request, stream: streaming });
  const isStrict = preferences?.require_parameters === true;
  const untaken = isStrict ? untakenOfChat({ request, stream: streaming }, chatTargets) : undefined;
  const imageRefusal = imageConfigRefusal(request, model, targets);
  const question = {
    model: request.model,
    needs: needsOf(request),
    unsupported: (offer: Offer) => (isNative(native, offer) ? undefined : unsupported(offer)),
    refusal: (offer: Offer) => (isNative(native, offer) ? undefined : (untranslatable ?? imageRefusal?.(offer))),
    untaken: untaken && ((of: Model, offer: Offer) => (isNative(native, offer) ? undefined : untaken(of, offer))),
    tried,
    principal: head.principal,
    fallback: askedFallback(head),
    streaming,
    preferences,
    cachedAt,
  };
  return planChat(question, ground);
}

interface ImageChatQuestion {
  head: RequestHead;
  /** `model` as the client wrote it. */
  model: string;
  call: ImageCall;
  preferences?: ProviderPreferences | undefined;
  /** Offers that have their turn already. */
  tried?: ReadonlySet<Offer> | undefined;
}

/** Plans a chat that is answered only with images. */
export function planImageChat(
  { head, model, call, preferences, tried }: ImageChatQuestion,
  targets: ImageTargets,
  ground: PlanGround,
): Plan {
  const question = {
    model,
    editing: call.operation === 'edit',
    refusal: imageRefusalIn(call, targets),
    untaken: untakenOfImages(call, targets),
    tried,
    principal: head.principal,
    fallback: askedFallback(head),
    preferences,
  };
  return planImage(question, ground);
}
