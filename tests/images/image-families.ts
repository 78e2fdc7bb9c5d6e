import { basePathOf } from '@tallyport/simulator';

/** A vendor family that makes images; see `tests/clients/families.ts`. */
interface ImageFamily {
  provider: string;
  /** Its id in the catalogue. Tests use it with the provider prefix, so that no other provider answers. */
  model: string;
  /** It supports edits. */
  edits: boolean;
  /** Each image is a separate call, so that one of them can fail. */
  fansOut: boolean;
  /** The format of its vendor, which a chat returns unchanged; the image endpoints return PNG. */
  sends: 'png' | 'jpeg';
  /** `image_config` of a chat, and the resulting size. */
  config: Readonly<Record<string, unknown>>;
  pixels: readonly [width: number, height: number];
  /** A setting that its vendor does not support, which the error names. */
  wrong: Readonly<Record<string, unknown>>;
  /** The model also writes text. */
  speaks?: true;
  /** Tests an image of this size: one family per transfer format, one of them with a very large image. */
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
  // Another one of its five sizes is made, cropped and scaled.
  {
    ...qwen,
    model: 'qwen-image-plus',
    edits: false,
    fansOut: true,
    config: { image_size: '1024x1536', seed: 7 },
    pixels: [1024, 1536],
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
  // The vendor refuses small sizes, so a larger one is requested and scaled.
  { ...seedream, model: 'seedream-4-5', config: { image_size: '1024x1024' }, pixels: [1024, 1024] },
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
  { ...openai, model: 'gpt-image-2.6-flare', config: { image_size: '1536x1024' }, pixels: [1536, 1024] },
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

/** Settings of the vendors that are not in the chat families. */
export const imageEnvironment = (simulatorUrl: string, key: string): Record<string, string> => ({
  ARK_API_KEY: key,
  ARK_BASE_URL: simulatorUrl + basePathOf('bytedance'),
});
