import type { ImageBlock } from '../tools/image-block.ts';
import { createTurns } from './turns.ts';
import { type SaveResult, saveImage } from './save-image.ts';
import { shrinkImage } from './shrink-image.ts';

/** What happens to a preview image besides being shown. */
export interface Previews {
  /** Whether images are saved at all. */
  saves: boolean;
  save(fileName: string, image: ImageBlock): Promise<SaveResult>;
  /** `undefined` when it can be neither shown as it is nor made smaller. */
  shrink(image: ImageBlock): Promise<ImageBlock | undefined>;
}

export interface PreviewOptions {
  /** UPLOAD_DIR; nothing is written without it. */
  folder: string | undefined;
  onSaveFailed(cause: unknown): void;
}

export function createPreviews({ folder, onSaveFailed }: PreviewOptions): Previews {
  // Decoding takes the whole image unpacked: one at a time bounds it.
  const inTurn = createTurns();
  return {
    saves: folder !== undefined,
    async save(fileName, image) {
      if (folder === undefined) return { outcome: 'not_wanted' };
      const saved = await saveImage(folder, fileName, image);
      if (saved.outcome === 'failed') onSaveFailed(saved.cause);
      return saved;
    },
    shrink: (image) => inTurn(() => shrinkImage(image)),
  };
}
