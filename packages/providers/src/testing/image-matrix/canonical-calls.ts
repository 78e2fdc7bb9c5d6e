import type { ImageCall } from '../../spec/image-provider.ts';
import { imageCallOf } from '../images.ts';

const cat = { mediaType: 'image/png', base64: 'Q0FU' };

/** Requests that are compared across all vendors. */
export const canonicalCalls = {
  plain: imageCallOf(),
  wide: imageCallOf({ n: 2, size: '1536x1024', quality: 'hd', style: 'vivid', user: 'user-1234' }),
  'large and square': imageCallOf({ size: '4096x4096' }),
  transparent: imageCallOf({ background: 'transparent', outputFormat: 'webp', outputCompression: 80 }),
  edit: imageCallOf({ prompt: 'Add a hat', images: [cat], size: '1024x1536', inputFidelity: 'high' }),
  fusion: imageCallOf({ prompt: 'Both', images: [cat, cat] }),
  'chat, in pixels': imageCallOf({ config: { image_size: '1024x1536' } }),
  'chat, by ratio': imageCallOf({ config: { aspect_ratio: '16:9', image_size: '2K' } }),
  'chat, half size': imageCallOf({ config: { image_size: '0.5K' } }),
  'chat, extreme ratio': imageCallOf({ config: { aspect_ratio: '1:8' } }),
  'chat, with a seed': imageCallOf({ n: 4, config: { n: 4, seed: 7 } }),
} as const satisfies Readonly<Record<string, ImageCall>>;

export type CanonicalName = keyof typeof canonicalCalls;
