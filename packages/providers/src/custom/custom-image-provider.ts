import type { CustomProvider } from '@switchyard/contracts';
import type { ImageAbilities, ImageProvider } from '../image-provider.ts';
import { openAiAbilities, openAiImages } from '../images/openai-images.ts';
import { customProvider } from './custom-provider.ts';

/** Nobody knows what an operator's models can do: what is asked is sent, and their server has the last word. */
const abilities: ImageAbilities = {
  ...openAiAbilities,
  sizes: {
    kind: 'free',
    leastSide: 1,
    mostSide: 8192,
    multipleOf: 1,
    leastPixels: 1,
    mostPixels: 8192 * 8192,
    mostRatio: 8192,
  },
};

/** Images of a provider an operator configured, in OpenAI's format. Its servers answer with addresses unless told. */
export const customImageProvider = (custom: CustomProvider): ImageProvider =>
  openAiImages(customProvider(custom), { abilities: () => abilities, add: { response_format: 'b64_json' } });
