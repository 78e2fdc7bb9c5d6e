import { randomBytes } from 'node:crypto';
import { link, mkdir, open, realpath, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { ImageBlock } from '../tools/image-block.ts';
import { candidateNames } from './file-name.ts';

export type SaveResult =
  | { outcome: 'not_wanted' }
  | { outcome: 'saved'; fileName: string }
  /** A sentence for the caller; the cause is for the log. */
  | { outcome: 'failed'; reason: string; cause: unknown };

/**
 * Saves an image under a checked name in the folder, whole or not at all, and never over what is there: it is written
 * beside and then linked, which fails for a name that exists, be it a link to somewhere else.
 */
export async function saveImage(folder: string, fileName: string, image: ImageBlock): Promise<SaveResult> {
  try {
    const place = await openFolder(folder);
    return { outcome: 'saved', fileName: await writeBeside(place, fileName, image) };
  } catch (cause) {
    return { outcome: 'failed', reason: `It could not be saved: ${reasonOf(cause)}.`, cause };
  }
}

/** Made when only it is missing: that its parent is missing is rather a mistake. */
async function openFolder(folder: string): Promise<string> {
  await mkdir(folder).catch((error: unknown) => {
    if (codeOf(error) !== 'EEXIST' && codeOf(error) !== 'EROFS') throw error;
  });
  return realpath(folder);
}

async function writeBeside(place: string, fileName: string, { data, mimeType }: ImageBlock): Promise<string> {
  const temporary = join(place, `.switchyard-${randomBytes(9).toString('hex')}.tmp`);
  try {
    const file = await open(temporary, 'wx', 0o644);
    try {
      await file.writeFile(Buffer.from(data, 'base64'));
      await file.sync();
    } finally {
      await file.close();
    }
    for (const candidate of candidateNames(fileName, mimeType)) {
      if (await linked(temporary, join(place, candidate))) return candidate;
    }
    throw new Error('every name like it is taken');
  } finally {
    await rm(temporary, { force: true });
  }
}

/** `false` when the name is taken. */
async function linked(existing: string, wanted: string): Promise<boolean> {
  try {
    await link(existing, wanted);
    return true;
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false;
    throw error;
  }
}

const codeOf = (error: unknown): unknown => (error instanceof Error && 'code' in error ? error.code : undefined);

/** What the person who runs the server can do something about, without a path. */
function reasonOf(error: unknown): string {
  switch (codeOf(error)) {
    case 'EACCES':
    case 'EPERM':
    case 'EROFS':
      return 'the server may not write to its upload folder';
    case 'ENOSPC':
    case 'EDQUOT':
      return 'the disk of the server is full';
    case 'ENOTDIR':
      return 'the upload folder of the server is not a folder';
    case 'ENOENT':
      return 'the upload folder of the server is not there';
    default:
      return error instanceof Error && codeOf(error) === undefined
        ? error.message
        : 'writing to the upload folder of the server failed';
  }
}
