import type { ImageAbilities, ImageCall, PixelSizes } from '../image-provider.ts';
import { openAiAbilities, openAiImages } from '../images/openai-images.ts';
import { openai as chat } from './chat.ts';

const classicSizes: PixelSizes = { kind: 'fixed', sizes: ['1024x1024', '1536x1024', '1024x1536'] };

/** What every GPT image model knows. */
export const classicAbilities: ImageAbilities = { ...openAiAbilities, sizes: classicSizes };

/** The models before free sizes; whatever is newer than this follows the newest. */
const classic = /^gpt-image-1|^chatgpt-image/;

/** GPT image models. `response_format` and `style` are of models that are gone; these refuse them. */
export const openaiImage = openAiImages(chat, {
  abilities: ({ modelName }) => (classic.test(modelName) ? classicAbilities : openAiAbilities),
  editSizes: classicSizes,
  lessen: (call, { modelName }) => (modelName.endsWith('-mini') ? withoutFidelity(call) : call),
});

const withoutFidelity = ({ inputFidelity: _inputFidelity, ...call }: ImageCall): ImageCall => call;
