import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

const fileIn = (directory: string): string => join(directory, 'address');

/** Notes where this process listens, for a second start in the same folder. */
export const noteAddress = (url: string, directory: string): Promise<void> =>
  writeFile(fileIn(directory), `${process.pid} ${url}\n`, { mode: 0o600 });

/** The address that this process has noted; `undefined` while it starts. */
export async function notedAddress(pid: number, directory: string): Promise<string | undefined> {
  const [noted, url] = (await readFile(fileIn(directory), 'utf8').catch(() => '')).trim().split(' ');
  return noted === String(pid) ? url : undefined;
}
