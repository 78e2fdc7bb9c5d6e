import { GatewayError } from '@switchyard/contracts';
import { z } from 'zod';
import { type ImageBlock, imageOfBase64 } from './image-block.ts';
import { readAnswer } from './read-answer.ts';

const imagesSchema = z.object({
  data: z.array(z.object({ b64_json: z.string().min(1), revised_prompt: z.string().nullish() })),
  metadata: z.object({ used_model: z.string(), used_provider: z.string() }).partial().optional(),
});

export interface MadeImages {
  images: ImageBlock[];
  /** Who made them. */
  model: string;
}

/** Throws when there is no image: a call without one has failed, whatever was said. */
export function readImages(answer: unknown, requestedModel: string): MadeImages {
  const { data, metadata } = readAnswer(imagesSchema, answer);
  if (data.length === 0) {
    throw new GatewayError('upstream_error', 'The provider made no image. Change the prompt or take another model.');
  }
  const { used_provider: provider, used_model: model = requestedModel } = metadata ?? {};
  return {
    images: data.map(({ b64_json: base64 }) => imageOfBase64(base64)),
    model: provider === undefined || model.startsWith(`${provider}/`) ? model : `${provider}/${model}`,
  };
}
