import { readdir, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Which process a file in the shared folder belongs to, and whether it is alive. */
export interface SpillFolder {
  /** Name of a file of this process. */
  nameOf(part: string): string;
  /** Files of processes that are dead. */
  abandoned(): Promise<string[]>;
  /** Keeps other processes from taking over these files for a while. */
  showLife(): Promise<void>;
  /** This process has no files any more. */
  leave(): Promise<void>;
}

interface SpillFolderOptions {
  directory: string;
  /** A UUID with which the names of this process's files begin. */
  self: string;
  abandonedMs: number;
}

const suffix = '.ndjson';
const lifeSuffix = '.alive';

export function createSpillFolder({ directory, self, abandonedMs }: SpillFolderOptions): SpillFolder {
  const lifeOf = (owner: string): string => join(directory, `${owner}${lifeSuffix}`);
  const ownerOf = (name: string): string => name.slice(0, self.length);

  /** A file that is written to shows life, too. */
  async function seenLately(paths: readonly string[]): Promise<boolean> {
    const seen = await Promise.all(paths.map((path) => stat(path).then(({ mtimeMs }) => mtimeMs, () => 0))); // prettier-ignore
    return Date.now() - Math.max(...seen) <= abandonedMs;
  }

  return {
    nameOf: (part) => `${self}-${part}${suffix}`,
    async abandoned() {
      const names = (await readdir(directory).catch(() => [])).filter((name) => ownerOf(name) !== self);
      const abandoned: string[] = [];
      for (const name of names) {
        if (await seenLately([join(directory, name), lifeOf(ownerOf(name))])) continue;
        if (name.endsWith(suffix)) abandoned.push(name);
        else if (name.endsWith(lifeSuffix)) await rm(join(directory, name), { force: true });
      }
      return abandoned;
    },
    async showLife() {
      const now = new Date();
      await utimes(lifeOf(self), now, now).catch(() => writeFile(lifeOf(self), '', { mode: 0o600 }));
    },
    leave: () => rm(lifeOf(self), { force: true }),
  };
}
