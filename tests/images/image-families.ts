import { basePathOf } from '@switchyard/simulator';

/** A vendor family that makes images, behind the gateway as in `tests/clients/families.ts`. */
export interface ImageFamily {
  provider: string;
  /** As the catalogue has it at this provider. It is asked for with the prefix, so that nobody else answers. */
  model: string;
  /** It changes images too. */
  edits: boolean;
  /** Several calls bring several images, so that one of them can fail. */
  fansOut: boolean;
  /** What its vendor sends, which a chat gets as it is; the image endpoints answer PNG. */
  sends: 'png' | 'jpeg';
  /** `image_config` of a chat, and the pixels that come of it. */
  config: Readonly<Record<string, unknown>>;
  pixels: readonly [width: number, height: number];
  /** Other settings, which its vendor does not have: the member that is named. */
  wrong: Readonly<Record<string, unknown>>;
  /** Models that speak say something about their image. */
  speaks?: true;
  /** Tried with an image of so many bytes: one family of each way that images come, one of them with a very large one. */
  largeBytes?: number;
}

const qwen = { provider: 'alibaba', sends: 'png', wrong: { aspect_ratio: '1:1' } } as const;
const zai = { provider: 'zai', edits: false, fansOut: true, sends: 'png', wrong: { seed: 1 } } as const;
const seedream = { provider: 'bytedance', edits: true, fansOut: true, sends: 'jpeg', wrong: { seed: 1 } } as const;
const openai = {
  provider: 'openai',
  edits: true,
  fansOut: false,
  sends: 'png',
  wrong: { aspect_ratio: '1:1' },
} as const;
const gemini = { edits: true, fansOut: true, sends: 'png', speaks: true } as const;

const list: readonly ImageFamily[] = [
  // The nearest of its five sizes.
  {
    ...qwen,
    model: 'qwen-image-plus',
    edits: false,
    fansOut: true,
    config: { image_size: '1024x1536', seed: 7 },
    pixels: [1104, 1472],
  },
  {
    ...qwen,
    model: 'qwen-image-2.0',
    edits: true,
    fansOut: false,
    largeBytes: 3_000_000,
    config: { image_size: '1024x1536', n: 1 },
    pixels: [1024, 1536],
  },
  { ...zai, model: 'cogview-4', config: { image_size: '2048x1024' }, pixels: [2048, 1024] },
  { ...zai, model: 'glm-image', config: { image_size: '1024x1024', n: 1 }, pixels: [1024, 1024] },
  { ...seedream, model: 'seedream-4-0', config: { image_size: '1024x1024' }, pixels: [1024, 1024] },
  // Small ones are refused by the vendor, and enlarged by us.
  { ...seedream, model: 'seedream-4-5', config: { image_size: '1024x1024' }, pixels: [1920, 1920] },
  {
    provider: 'xai',
    model: 'grok-imagine-image',
    edits: true,
    fansOut: false,
    sends: 'jpeg',
    config: { aspect_ratio: '16:9' },
    pixels: [1360, 768],
    wrong: { seed: 1 },
  },
  { ...openai, model: 'gpt-image-1.5', config: { image_size: '1536x1024' }, pixels: [1536, 1024] },
  { ...openai, model: 'gpt-image-2', largeBytes: 9_000_000, config: { image_size: '1280x768' }, pixels: [1280, 768] },
  {
    ...gemini,
    provider: 'google',
    model: 'gemini-3-pro-image-preview',
    largeBytes: 3_000_000,
    config: { aspect_ratio: '16:9', image_size: '1K' },
    pixels: [1376, 768],
    wrong: { image_size: '0.5K' },
  },
  {
    ...gemini,
    provider: 'google',
    model: 'gemini-3.1-flash-image-preview',
    config: { aspect_ratio: '1:1', image_size: '0.5K' },
    pixels: [512, 512],
    wrong: { image_size: '512x512' },
  },
  {
    ...gemini,
    provider: 'openrouter',
    model: 'gemini-3-pro-image',
    config: { aspect_ratio: '1:1', image_size: '1K' },
    pixels: [1024, 1024],
    wrong: { aspect_ratio: '1:8' },
  },
];

export const imageFamilies = list.map((family) => ({ ...family, name: `${family.provider}/${family.model}` }));

export type NamedImageFamily = (typeof imageFamilies)[number];

/** What points the gateway at those of them that no chat client is tried with. */
export const imageEnvironment = (simulatorUrl: string, key: string): Record<string, string> => ({
  ARK_API_KEY: key,
  ARK_BASE_URL: simulatorUrl + basePathOf('bytedance'),
});
