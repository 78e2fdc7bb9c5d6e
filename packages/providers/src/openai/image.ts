import type { ImageAbilities, ImageCall, PixelSizes } from '../spec/image-provider.ts';
import { openAiAbilities, openAiImages, openAiQualities } from '../images/openai-images.ts';
import { openai as chat } from './chat.ts';

const classicSizes: PixelSizes = { kind: 'fixed', sizes: ['1024x1024', '1536x1024', '1024x1536'] };

/** The abilities of the models with free sizes. */
const modernAbilities: ImageAbilities = { ...openAiAbilities, masks: true };

/** The abilities from gpt-image-2.5 on. */
const newestAbilities: ImageAbilities = {
  ...modernAbilities,
  qualities: { ...openAiQualities, xhigh: 'xhigh', max: 'max' },
  complexity: true,
};

/** The abilities every GPT image model has. */
export const classicAbilities: ImageAbilities = { ...modernAbilities, sizes: classicSizes };

/** The first pattern that matches a model's name applies; models newer than this table are like the newest. */
const generations: readonly (readonly [RegExp, ImageAbilities])[] = [
  [/^gpt-image-1|^chatgpt-image/, classicAbilities],
  [/^gpt-image-2(-\d|$)/, modernAbilities],
];

/** Only these models take `input_fidelity`. */
const withFidelity = /^gpt-image-1(\.5)?(-\d|$)|^chatgpt-image/;

/** GPT image models. They refuse `response_format` and `style`, which belong to retired models. */
export const openaiImage = openAiImages(chat, {
  abilities: ({ modelName }) => generations.find(([names]) => names.test(modelName))?.[1] ?? newestAbilities,
  streams: true,
  editSizes: classicSizes,
  withoutRefused: (call, { modelName }) => (withFidelity.test(modelName) ? call : withoutFidelity(call)),
});

const withoutFidelity = ({ inputFidelity: _inputFidelity, ...call }: ImageCall): ImageCall => call;
