import type { CustomProvider } from '@tallyport/contracts';
import type { ImageAbilities, ImageProvider } from '../spec/image-provider.ts';
import { openAiAbilities, openAiImages } from '../images/openai-images.ts';
import { customProvider } from './custom-provider.ts';

/** The abilities of an operator's models are unknown: every request is sent, and their server decides. */
const abilities: ImageAbilities = {
  ...openAiAbilities,
  masks: true,
  styles: true,
  sizes: {
    kind: 'free',
    minSide: 1,
    maxSide: 8192,
    multipleOf: 1,
    leastPixels: 1,
    maxPixels: 8192 * 8192,
    maxRatio: 8192,
  },
};

/** Images of a provider an operator configured, in OpenAI's format. Its servers return URLs unless asked for base64. */
export const customImageProvider = (custom: CustomProvider): ImageProvider =>
  openAiImages(customProvider(custom), { abilities: () => abilities, add: { response_format: 'b64_json' } });
