import type { ImageBlock } from './image-block.ts';
import { createTurns, createTurnsByName } from './turns.ts';
import { type NewUpload, saveUpload, type UploadFolder } from './account-uploads.ts';
import type { SaveResult } from './save-image.ts';
import { shrinkImage } from './shrink-image.ts';

/** Saves and shrinks preview images. */
export interface Previews {
  /** Whether images are saved at all. */
  saves: boolean;
  save(upload: NewUpload): Promise<SaveResult>;
  /** `undefined` if the image is too large to be shown and cannot be made smaller. */
  shrink(image: ImageBlock): Promise<ImageBlock | undefined>;
}

interface PreviewOptions {
  /** UPLOAD_DIR; without it nothing is saved. */
  folder: string | undefined;
  isOnlyAccount: UploadFolder['isOnlyAccount'];
  /** The total size of one account's images. */
  maxBytes: number;
  maxFiles: number;
  onSaveFailed(cause: unknown): void;
}

export function createPreviews({ folder, onSaveFailed, ...rules }: PreviewOptions): Previews {
  // Decoding needs memory for the whole unpacked image, so images are decoded one at a time.
  const inTurn = createTurns();
  // Two concurrent saves of one account could both take the last free space.
  const savedInTurn = createTurnsByName();
  return {
    saves: folder !== undefined,
    async save(upload) {
      if (folder === undefined) return { outcome: 'not_wanted' };
      const saved = await savedInTurn(upload.accountId, () => saveUpload({ folder, ...rules }, upload));
      if (saved.outcome === 'failed') onSaveFailed(saved.cause);
      return saved;
    },
    shrink: (image) => inTurn(() => shrinkImage(image)),
  };
}
