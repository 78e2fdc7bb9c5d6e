import { constants } from 'node:fs';
import { access, readdir } from 'node:fs/promises';
import { delimiter, join } from 'node:path';

/**
 * The paths of all programs, or `undefined` if one is missing. Debian installs Postgres and daemons outside of the
 * usual PATH.
 */
export async function findPrograms(names: readonly string[]): Promise<string[] | undefined> {
  const folders = [...(process.env.PATH ?? '').split(delimiter), ...(await hiddenFolders())].filter(Boolean);
  for (const folder of folders) {
    const paths = names.map((name) => join(folder, name));
    if ((await Promise.all(paths.map(isProgram))).every(Boolean)) return paths;
  }
  return undefined;
}

async function hiddenFolders(): Promise<string[]> {
  const versions = await readdir('/usr/lib/postgresql').catch(() => []);
  const newestFirst = versions.toSorted((a, b) => Number(b) - Number(a));
  return [
    ...newestFirst.map((version) => `/usr/lib/postgresql/${version}/bin`),
    '/usr/sbin',
    '/usr/local/sbin',
    '/usr/local/bin',
    '/opt/homebrew/bin',
  ];
}

async function isProgram(path: string): Promise<boolean> {
  return access(path, constants.X_OK).then(
    () => true,
    () => false,
  );
}
