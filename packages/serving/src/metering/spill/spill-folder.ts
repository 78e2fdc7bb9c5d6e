import { readdir, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Tracks which process owns a file in the shared folder, and whether that process is alive. */
interface SpillFolder {
  /** Returns the name of a file of this process. */
  nameOf(part: string): string;
  /** Lists the files of dead processes. */
  abandoned(): Promise<string[]>;
  /** Marks this process as alive, which keeps others from taking over its files for a while. */
  showLife(): Promise<void>;
  /** Removes that mark; call when this process has no files left. */
  leave(): Promise<void>;
}

interface SpillFolderOptions {
  directory: string;
  /** A UUID that prefixes the names of this process's files. */
  self: string;
  abandonedMs: number;
}

const suffix = '.ndjson';
const lifeSuffix = '.alive';

export function createSpillFolder({ directory, self, abandonedMs }: SpillFolderOptions): SpillFolder {
  const lifeOf = (owner: string): string => join(directory, `${owner}${lifeSuffix}`);
  const ownerOf = (name: string): string => name.slice(0, self.length);

  /** A recently written file also proves that its owner is alive. */
  async function isRecent(paths: readonly string[]): Promise<boolean> {
    const seen = await Promise.all(paths.map((path) => stat(path).then(({ mtimeMs }) => mtimeMs, () => 0))); // prettier-ignore
    return Date.now() - Math.max(...seen) <= abandonedMs;
  }

  return {
    nameOf: (part) => `${self}-${part}${suffix}`,
    async abandoned() {
      const names = (await readdir(directory).catch(() => [])).filter((name) => ownerOf(name) !== self);
      const abandoned: string[] = [];
      for (const name of names) {
        if (await isRecent([join(directory, name), lifeOf(ownerOf(name))])) continue;
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
