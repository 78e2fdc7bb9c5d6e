import { GatewayError, type Model } from '@tallyport/contracts';
import { type ImageDispatchOptions, imageRefusalIn, type PlanQuestion } from '@tallyport/dispatch';
import { readImageConfig } from '@tallyport/providers';
import type { ChatRequest } from '@tallyport/wire';

/** Requests images from models that make both text and images, unless the client chose the modalities. */
export function withImageModality(request: ChatRequest, { outputModalities: output }: Model): ChatRequest {
  const both = output.includes('image') && output.includes('text');
  return both && !request.modalities ? { ...request, modalities: ['image', 'text'] } : request;
}

/** Returns which offers cannot make images as `image_config` says; `undefined` without one. Throws if no offer can. */
export function imageConfigRefusal(
  { model: name, image_config: given }: ChatRequest,
  model: Model,
  targets: ImageDispatchOptions['targets'],
): PlanQuestion['refusal'] {
  if (!given) return undefined;
  if (!model.outputModalities.includes('image')) {
    const message = `\`image_config\` is not supported: '${name}' does not make images.`;
    throw new GatewayError('unsupported_capability', message, { param: 'image_config' });
  }
  const config = readImageConfig(given);
  // The text is checked by the chat's own provider.
  return imageRefusalIn({ operation: 'generate', prompt: 'any', n: config.n ?? 1, images: [], config }, targets);
}
