import type { ImageAbilities, ImageProvider } from '../spec/image-provider.ts';
import { openAiAbilities, openAiImages } from '../images/openai-images.ts';
import type { ChatProvider } from '../spec/provider.ts';
import { sandboxA, sandboxB, sandboxC } from './chat.ts';

const abilities: ImageAbilities = {
  ...openAiAbilities,
  masks: true,
  sizes: {
    kind: 'free',
    minSide: 1,
    maxSide: 4096,
    multipleOf: 1,
    leastPixels: 1,
    maxPixels: 4096 * 4096,
    maxRatio: 4096,
  },
};

/** The image models of the simulated providers, each under its own path. */
const sandboxImage = (chat: ChatProvider): ImageProvider =>
  openAiImages(chat, {
    path: (operation) => `/${chat.id}/v1/images/${operation === 'edit' ? 'edits' : 'generations'}`,
    abilities: () => abilities,
    streams: true,
  });

export const sandboxImageA = sandboxImage(sandboxA);
export const sandboxImageB = sandboxImage(sandboxB);
export const sandboxImageC = sandboxImage(sandboxC);
