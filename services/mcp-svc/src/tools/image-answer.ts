import { GatewayError } from '@tallyport/contracts';
import { z } from 'zod';
import { type ImageBlock, imageOfBase64 } from '../preview/image-block.ts';
import { readAnswer } from './read-answer.ts';

const imagesSchema = z.object({
  data: z.array(z.object({ b64_json: z.string().min(1), revised_prompt: z.string().nullish() })),
  metadata: z.object({ used_model: z.string(), used_provider: z.string() }).partial().optional(),
});

interface GeneratedImages {
  images: ImageBlock[];
  /** The provider and model that generated them. */
  model: string;
}

/** Throws if there is no image: a response without one is a failure. */
export function readImages(answer: unknown, requestedModel: string): GeneratedImages {
  const { data, metadata } = readAnswer(imagesSchema, answer);
  if (data.length === 0) {
    throw new GatewayError('upstream_error', 'The provider returned no image. Change the prompt or use another model.');
  }
  const { used_provider: provider, used_model: model = requestedModel } = metadata ?? {};
  return {
    images: data.map(({ b64_json: base64 }) => imageOfBase64(base64)),
    model: provider === undefined || model.startsWith(`${provider}/`) ? model : `${provider}/${model}`,
  };
}
