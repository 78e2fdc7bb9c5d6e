import { randomUUID } from 'node:crypto';
import { appendFile, mkdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { createSpillFolder } from './spill-folder.ts';

/** Files of lines in a folder. They belong to this process; when it dies, another process takes them over. */
interface SpillFiles {
  append(lines: string): Promise<void>;
  /** Starts a new file for later lines. */
  turn(): void;
  /** The files completed before the last `turn`, those of dead processes included. */
  complete(): Promise<string[]>;
  /** Returns an empty text if another process believed this one dead and took the file. */
  read(file: string): Promise<string>;
  remove(file: string): Promise<void>;
  bytes(): number;
}

const isMissing = (error: unknown): boolean => error instanceof Error && 'code' in error && error.code === 'ENOENT';

/** Files are read whole, so their size is limited. */
const mostFileBytes = 4 * 1024 * 1024;

/** The size of a file, 0 if it is missing. Removes empty files: on a full disk every attempt would leave one. */
async function sizeOrNone(file: string): Promise<number> {
  const size = await stat(file).then(({ size: found }) => found, () => 0); // prettier-ignore
  if (size === 0) await rm(file, { force: true }).catch(() => undefined);
  return size;
}

export function createSpillFiles(directory: string, abandonedMs: number): SpillFiles {
  const self = randomUUID();
  const folder = createSpillFolder({ directory, self, abandonedMs });
  const sizes = new Map<string, number>();
  let segment = 0;
  let inherited = 0;
  const current = (): string => join(directory, folder.nameOf(`${segment}`));

  async function measure(file: string): Promise<void> {
    sizes.set(file, await sizeOrNone(file));
    if (sizes.get(file) === 0) sizes.delete(file);
  }

  /** Takes files over by renaming them before they are read, so that only one process gets each. */
  async function inherit(): Promise<void> {
    for (const name of await folder.abandoned()) {
      inherited += 1;
      const mine = join(directory, folder.nameOf(`of-${inherited}`));
      await rename(join(directory, name), mine).catch(() => undefined);
      await measure(mine);
    }
  }

  return {
    async append(lines) {
      if ((sizes.get(current()) ?? 0) >= mostFileBytes) segment += 1;
      const file = current();
      sizes.set(file, (sizes.get(file) ?? 0) + Buffer.byteLength(lines));
      try {
        await mkdir(directory, { recursive: true, mode: 0o700 });
        await appendFile(file, lines, { mode: 0o600 });
      } catch (error) {
        // The file may end in half a line, so nothing may be appended to it.
        segment += 1;
        await measure(file);
        throw error;
      }
    },
    turn() {
      segment += 1;
    },
    async complete() {
      await inherit();
      return [...sizes.keys()].filter((file) => file !== current());
    },
    async read(file) {
      await folder.showLife();
      return readFile(file, 'utf8').catch((error: unknown) => {
        if (isMissing(error)) return '';
        throw error;
      });
    },
    async remove(file) {
      await rm(file, { force: true });
      sizes.delete(file);
      if (sizes.size === 0) await folder.leave();
    },
    bytes: () => [...sizes.values()].reduce((sum, size) => sum + size, 0),
  };
}
