import { chmod, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { StartError } from '@tallyport/service-kit';
import { generateMasterKey, type MasterKey, readMasterKey } from './master-key.ts';

export const keyFile = (directory: string): string => join(directory, 'secrets-key');

/** Reads the master key of a data directory; `undefined` if there is none yet. */
export async function readKeyFile(directory: string): Promise<MasterKey | undefined> {
  const file = keyFile(directory);
  const text = await readFile(file, 'utf8').catch(undefinedWhenMissing);
  if (text === undefined) return undefined;
  const key = readMasterKey(text.trim());
  if (key === undefined) {
    throw new StartError(`${file} does not contain a valid key: restore it from a backup. Nothing was changed.`);
  }
  await chmod(file, 0o600);
  return key;
}

/** Creates the key file atomically. Only call it if there is none. */
export async function makeKeyFile(directory: string): Promise<MasterKey> {
  const file = keyFile(directory);
  await writeFile(`${file}.new`, `${generateMasterKey()}\n`, { mode: 0o600, flush: true });
  await rename(`${file}.new`, file);
  const key = await readKeyFile(directory);
  if (key === undefined) throw new Error(`${file} disappeared while it was created.`);
  return key;
}

function undefinedWhenMissing(error: unknown): undefined {
  if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
  throw error;
}
