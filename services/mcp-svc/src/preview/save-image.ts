import { randomBytes } from 'node:crypto';
import { link, mkdir, open, realpath, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { ImageBlock } from './image-block.ts';
import { candidateNames } from './file-name.ts';

export type SaveResult =
  | { outcome: 'not_wanted' }
  /** `path` is below the upload folder. */
  | { outcome: 'saved'; path: string }
  /** `reason` is a sentence for the caller; `cause` is for the log. */
  | { outcome: 'failed'; reason: string; cause: unknown };

/**
 * Saves an image under a checked name, completely or not at all, and never replaces a file: it is written to a
 * temporary file and then linked, which fails if the name exists, even as a link to another place.
 */
export async function saveImage(folder: string, fileName: string, image: ImageBlock): Promise<SaveResult> {
  try {
    const place = await openFolder(folder);
    return { outcome: 'saved', path: await writeAndLink(place, fileName, image) };
  } catch (cause) {
    return saveFailure(cause);
  }
}

export const saveFailure = (cause: unknown): SaveResult => ({
  outcome: 'failed',
  reason: `It could not be saved: ${reasonOf(cause)}.`,
  cause,
});

/** Creates the folder if its parent exists. A missing parent is more likely a configuration mistake. */
export async function openFolder(folder: string): Promise<string> {
  try {
    await mkdir(folder);
  } catch (error) {
    // A read-only file system reports EROFS even if the folder exists.
    if (codeOf(error) === 'EROFS') return realpath(folder).catch(() => Promise.reject(error));
    if (codeOf(error) !== 'EEXIST') throw error;
  }
  return realpath(folder);
}

async function writeAndLink(place: string, fileName: string, { data, mimeType }: ImageBlock): Promise<string> {
  const temporary = join(place, `.tallyport-${randomBytes(9).toString('hex')}.tmp`);
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
    throw new Error('all similar names are in use');
  } finally {
    await rm(temporary, { force: true });
  }
}

/** `false` if the name is in use. */
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

/** A reason that helps the operator and contains no path. */
function reasonOf(error: unknown): string {
  switch (codeOf(error)) {
    case 'EACCES':
    case 'EPERM':
    case 'EROFS':
      return 'the server cannot write to its upload folder';
    case 'ENOSPC':
    case 'EDQUOT':
      return "the server's disk is full";
    case 'ENOTDIR':
      return "the server's upload folder is not a folder";
    case 'ENOENT':
      return "the server's upload folder does not exist";
    default:
      return error instanceof Error && codeOf(error) === undefined
        ? error.message
        : "writing to the server's upload folder failed";
  }
}
