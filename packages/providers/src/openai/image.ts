import type { ImageAbilities, ImageCall, PixelSizes } from '../image-provider.ts';
import { openAiAbilities, openAiImages } from '../images/openai-images.ts';
import { openai as chat } from './chat.ts';

const classicSizes: PixelSizes = { kind: 'fixed', sizes: ['1024x1024', '1536x1024', '1024x1536'] };

/** The abilities of today's models. */
const modernAbilities: ImageAbilities = { ...openAiAbilities, masks: true };

/** The abilities every GPT image model has. */
export const classicAbilities: ImageAbilities = { ...modernAbilities, sizes: classicSizes };

/** The models before free sizes; all newer models are treated like the newest. */
const classic = /^gpt-image-1|^chatgpt-image/;

/** GPT image models. They refuse `response_format` and `style`, which belong to retired models. */
export const openaiImage = openAiImages(chat, {
  abilities: ({ modelName }) => (classic.test(modelName) ? classicAbilities : modernAbilities),
  streams: true,
  editSizes: classicSizes,
  withoutRefused: (call, { modelName }) => (modelName.endsWith('-mini') ? withoutFidelity(call) : call),
});

const withoutFidelity = ({ inputFidelity: _inputFidelity, ...call }: ImageCall): ImageCall => call;
