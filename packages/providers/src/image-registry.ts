import type { CustomProvider } from '@tallyport/contracts';
import { alibabaImage } from './alibaba/image.ts';
import { azureImage } from './azure/image.ts';
import { bytedanceImage } from './bytedance/image.ts';
import { customImageProvider } from './custom/custom-image-provider.ts';
import { googleVertexImage } from './google-vertex/image.ts';
import { googleImage } from './google/image.ts';
import type { ImageProvider } from './spec/image-provider.ts';
import { openaiImage } from './openai/image.ts';
import { openrouterImage } from './openrouter/image.ts';
import { sandboxImageA, sandboxImageB, sandboxImageC } from './sandbox/image.ts';
import { togetherImage } from './together/image.ts';
import { xaiImage } from './xai/image.ts';
import { zaiImage } from './zai/image.ts';

/** Every image provider, in alphabetical order. */
export const imageProviders: readonly ImageProvider[] = [
  alibabaImage,
  azureImage,
  bytedanceImage,
  googleImage,
  googleVertexImage,
  openaiImage,
  openrouterImage,
  sandboxImageA,
  sandboxImageB,
  sandboxImageC,
  togetherImage,
  xaiImage,
  zaiImage,
];

const byId: ReadonlyMap<string, ImageProvider> = new Map(imageProviders.map((provider) => [provider.id, provider]));

export const findImageProvider = (id: string): ImageProvider | undefined => byId.get(id);

export interface ImageProviderRegistry {
  readonly all: readonly ImageProvider[];
  find(id: string): ImageProvider | undefined;
}

/** The built-in providers and those an operator configured. A configured provider cannot replace a built-in one. */
export function imageProvidersWith(custom: readonly CustomProvider[]): ImageProviderRegistry {
  const own = new Map(custom.filter(({ id }) => !byId.has(id)).map((each) => [each.id, customImageProvider(each)]));
  return { all: [...imageProviders, ...own.values()], find: (id) => byId.get(id) ?? own.get(id) };
}
