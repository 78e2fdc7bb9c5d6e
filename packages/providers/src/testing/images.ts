import type { Offer } from '@tallyport/contracts';
import type { ImageCall, ImageContext, ImageProvider } from '../spec/image-provider.ts';

export const imageOfferOf = ({ id }: Pick<ImageProvider, 'id'>, modelName: string): Offer => ({
  providerId: id,
  modelName,
  pricing: {},
  streaming: false,
  vision: true,
  tools: false,
  parallelToolCalls: false,
  reasoning: false,
  cancellation: false,
  stability: 'stable',
});

export const imageCallOf = (changes: Partial<ImageCall> = {}): ImageCall => ({
  operation: changes.images === undefined ? 'generate' : 'edit',
  prompt: 'A red bird',
  n: 1,
  images: [],
  ...changes,
});

export const imageContextOf = (provider: ImageProvider, modelName: string, call = imageCallOf()): ImageContext => ({
  call,
  offer: imageOfferOf(provider, modelName),
});
