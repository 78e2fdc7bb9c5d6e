import { existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { dirname } from 'node:path';

/** The data directory cannot be created or written. */
export class DirectoryUnusableError extends Error {
  constructor(directory: string, reason: string, cause: unknown) {
    super(`DATA_DIR: ${directory} cannot be used, because ${reason}. Set it to a folder that this user may write.`, {
      cause,
    });
    this.name = 'DirectoryUnusableError';
  }
}

/**
 * Creates the directory and its parents, readable by their owner only. Not with `recursive`: Node repeats it for ever
 * where the system has no such folder, as in `/proc`.
 */
export async function createDirectory(directory: string): Promise<void> {
  const parent = dirname(directory);
  if (!existsSync(parent)) await createDirectory(parent);
  if (!existsSync(directory)) await mkdir(directory, { mode: 0o700 });
}

/** Runs `use`. An error of the system about the directory becomes a DirectoryUnusableError. */
export async function explainUse<Result>(directory: string, use: () => Promise<Result>): Promise<Result> {
  try {
    return await use();
  } catch (error) {
    const reason = error instanceof Error && 'code' in error ? reasons[String(error.code)] : undefined;
    throw reason === undefined ? error : new DirectoryUnusableError(directory, reason, error);
  }
}

const notPermitted = 'this user may not write there';
const isFile = 'a part of the path is a file';

const reasons: Readonly<Record<string, string>> = {
  EACCES: notPermitted,
  EEXIST: isFile,
  ENOENT: 'the system has no such folder and does not let it be created',
  ENOSPC: 'the disk is full',
  ENOTDIR: isFile,
  EPERM: notPermitted,
  EROFS: 'its file system is read-only',
};
