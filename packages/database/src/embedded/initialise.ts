import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chmod, rename, rm } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

/**
 * Creates the files of an empty database, completely or not at all. It runs in a short-lived process because it briefly
 * needs about 500 MB, of which this process would keep 170 MB permanently. V8's quick compiler halves the time.
 */
export async function initialise(directory: string): Promise<void> {
  const unfinished = `${directory}.new`;
  await rm(unfinished, { recursive: true, force: true });
  const script = fileURLToPath(new URL('./initialise.main.ts', import.meta.url));
  try {
    await promisify(execFile)(process.execPath, ['--liftoff-only', script, unfinished], { env: {}, timeout: 120_000 });
  } catch (cause) {
    await rm(unfinished, { recursive: true, force: true });
    throw new Error(`The embedded database could not be set up in ${directory}.`, { cause });
  }
  await chmod(unfinished, 0o700);
  await rename(unfinished, directory);
}

export const isInitialised = (directory: string): boolean => existsSync(`${directory}/PG_VERSION`);
