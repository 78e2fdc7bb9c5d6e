import type { ImageAbilities, ImageProvider } from '../image-provider.ts';
import { openAiAbilities, openAiImages } from '../images/openai-images.ts';
import type { ChatProvider } from '../provider.ts';
import { sandboxA, sandboxB, sandboxC } from './chat.ts';

const abilities: ImageAbilities = {
  ...openAiAbilities,
  sizes: {
    kind: 'free',
    leastSide: 1,
    mostSide: 4096,
    multipleOf: 1,
    leastPixels: 1,
    mostPixels: 4096 * 4096,
    mostRatio: 4096,
  },
};

/** Simulated providers paint too, each under its own path. */
const sandboxImage = (chat: ChatProvider): ImageProvider =>
  openAiImages(chat, {
    path: (operation) => `/${chat.id}/v1/images/${operation === 'edit' ? 'edits' : 'generations'}`,
    abilities: () => abilities,
  });

export const sandboxImageA = sandboxImage(sandboxA);
export const sandboxImageB = sandboxImage(sandboxB);
export const sandboxImageC = sandboxImage(sandboxC);
