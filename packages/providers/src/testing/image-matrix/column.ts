import type { ImageProvider } from '../../spec/image-provider.ts';
import type { CanonicalName } from './canonical-calls.ts';

/** The prompt of a call whose style the model does not have. */
export const vividBird = 'A red bird\n\nThe image is vivid: hyper-real and dramatic.';

/** One model's requests for each of the canonical calls. */
export interface ImageColumn {
  provider: ImageProvider;
  model: string;
  /** Path and body, or the refusal. */
  sent: Readonly<Record<CanonicalName, readonly [path: string, body: object] | Refusal>>;
}

interface Refusal {
  refused: string;
  param: string | undefined;
}

/** Refusals that several models share. */
export const noImages: Refusal = { refused: 'unsupported_capability', param: 'images' };
export const neverTransparent: Refusal = { refused: 'unsupported_parameter', param: 'background' };
export const unknownRatio: Refusal = { refused: 'unsupported_parameter', param: 'image_config.aspect_ratio' };
export const wrongRatio: Refusal = { refused: 'invalid_parameters', param: 'image_config.aspect_ratio' };
export const wrongSize: Refusal = { refused: 'invalid_parameters', param: 'image_config.image_size' };
export const unknownCount: Refusal = { refused: 'unsupported_parameter', param: 'image_config.n' };
export const unknownSeed: Refusal = { refused: 'unsupported_parameter', param: 'image_config.seed' };
