import { GatewayError, type Model } from '@switchyard/contracts';
import { type ImageDispatchOptions, imageRefusalIn, type PlanQuestion } from '@switchyard/dispatch';
import { readImageConfig } from '@switchyard/providers';
import type { ChatRequest } from '@switchyard/wire';

/** A chat with its model's images asked for: from who speaks and paints both, unless the client says which. */
export function withImagesAsked(request: ChatRequest, { outputModalities: output }: Model): ChatRequest {
  const both = output.includes('image') && output.includes('text');
  return both && !request.modalities ? { ...request, modalities: ['image', 'text'] } : request;
}

/** Which offers cannot make images as `image_config` says; `undefined` without one. Throws where no offer could. */
export function imageConfigRefusal(
  { model: name, image_config: given }: ChatRequest,
  model: Model,
  targets: ImageDispatchOptions['targets'],
): PlanQuestion['refusal'] {
  if (!given) return undefined;
  if (!model.outputModalities.includes('image')) {
    const message = `\`image_config\` is for models that make images, and '${name}' makes none.`;
    throw new GatewayError('unsupported_capability', message, { param: 'image_config' });
  }
  const config = readImageConfig(given);
  // The words are judged where they go.
  return imageRefusalIn({ operation: 'generate', prompt: 'any', n: config.n ?? 1, images: [], config }, targets);
}
