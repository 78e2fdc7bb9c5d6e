import { createHash } from 'node:crypto';
import { lstat, readdir } from 'node:fs/promises';
import { join, posix } from 'node:path';
import type { ImageBlock } from './image-block.ts';
import { openFolder, saveFailure, saveImage, type SaveResult } from './save-image.ts';

export interface UploadFolder {
  folder: string;
  /** Whether the installation has no other account. */
  isOnlyAccount(accountId: string): Promise<boolean>;
  /** The total size of one account's files. */
  maxBytes: number;
  /** The number of one account's files. They are counted for each image saved. */
  maxFiles: number;
}

export interface NewUpload {
  accountId: string;
  fileName: string;
  image: ImageBlock;
}

/** Files examined in parallel. */
const step = 64;

/**
 * Saves an image in the upload folder or, where there are several accounts, in the account's subfolder of it. Fails if
 * the account has no room left.
 */
export async function saveUpload(
  { folder, isOnlyAccount, maxBytes, maxFiles }: UploadFolder,
  { accountId, fileName, image }: NewUpload,
): Promise<SaveResult> {
  try {
    const place = await openFolder(folder);
    const below = (await isOnlyAccount(accountId)) ? '' : folderName(accountId);
    const own = below === '' ? place : await openFolder(join(place, below));
    const bytes = Buffer.byteLength(image.data, 'base64');
    const names = await filesIn(own);
    if (names.length >= maxFiles) throw noRoom(`${maxFiles} images`);
    if ((await bytesOf(own, names)) + bytes > maxBytes)
      throw noRoom(`${maxBytes} bytes of images (UPLOAD_MAX_BYTES_PER_ACCOUNT)`);
    const saved = await saveImage(own, fileName, image);
    return saved.outcome === 'saved' ? { ...saved, path: posix.join(below, saved.path) } : saved;
  } catch (cause) {
    return saveFailure(cause);
  }
}

/** The id itself if it is a valid name on every file system, otherwise its hash. */
const folderName = (accountId: string): string =>
  /^[a-z0-9_-]{1,64}$/.test(accountId) ? accountId : createHash('sha256').update(accountId).digest('hex');

/** Without the subfolders of accounts that there were before. */
const filesIn = async (folder: string): Promise<string[]> =>
  (await readdir(folder, { withFileTypes: true })).filter((entry) => !entry.isDirectory()).map(({ name }) => name);

/** Summed for each image: the operator may remove files. */
async function bytesOf(folder: string, names: readonly string[]): Promise<number> {
  let sum = 0;
  for (let from = 0; from < names.length; from += step) {
    const sizes = await Promise.all(names.slice(from, from + step).map((name) => sizeOf(join(folder, name))));
    sum = sizes.reduce((before, size) => before + size, sum);
  }
  return sum;
}

/** A file removed in the meantime counts as empty. */
const sizeOf = (path: string): Promise<number> =>
  lstat(path).then(
    ({ size }) => size,
    () => 0,
  );

const noRoom = (most: string): Error => new Error(`this account has reached its limit of ${most}`);
