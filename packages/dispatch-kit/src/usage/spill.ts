import { randomUUID } from 'node:crypto';
import { appendFile, mkdir, readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { type UsageRecord, usageRecordSchema } from '@switchyard/contracts';

/** Records in files, for as long as nobody else takes them. They outlive this process. */
export interface Spill {
  /** Resolves when they are written. Rejects when there is no room, or no disk. */
  add(record: UsageRecord): Promise<void>;
  /**
   * Gives every record to `give`, those of dead processes in the same folder too, and forgets a file once all of it was
   * taken. Rejects with the first refusal; what was taken may then be given once more.
   */
  replay(give: (record: UsageRecord) => Promise<unknown>): Promise<void>;
  /** Whether this process knows of anything that waits. */
  isEmpty(): boolean;
  bytes(): number;
}

export interface SpillOptions {
  directory: string;
  maxBytes: number;
  /** A file of another process that has been still for so long is nobody's. */
  abandonedMs?: number;
}

const suffix = '.ndjson';
const givenAtOnce = 64;

export function createSpill({ directory, maxBytes, abandonedMs = 30_000 }: SpillOptions): Spill {
  const self = randomUUID();
  /** Of our own files, and of what is not written yet. */
  const sizes = new Map<string, number>();
  let waitingBytes = 0;
  let segment = 0;
  let waiting: string[] = [];
  /** One write after the other. */
  let writing: Promise<void> = Promise.resolve();
  const fileOf = (count: number): string => join(directory, `${self}-${count}${suffix}`);

  async function write(): Promise<void> {
    const text = waiting.join('');
    waiting = [];
    waitingBytes = 0;
    if (text === '') return;
    const file = fileOf(segment);
    sizes.set(file, (sizes.get(file) ?? 0) + text.length);
    await mkdir(directory, { recursive: true, mode: 0o700 });
    await appendFile(file, text, { mode: 0o600 });
  }

  async function giveFile(file: string, give: (record: UsageRecord) => Promise<unknown>): Promise<void> {
    const text = await readFile(file, 'utf8');
    const records = text.split('\n').flatMap(readLine);
    for (let at = 0; at < records.length; at += givenAtOnce) {
      await Promise.all(records.slice(at, at + givenAtOnce).map(give));
    }
    await rm(file, { force: true });
    sizes.delete(file);
  }

  const bytes = (): number => [...sizes.values()].reduce((sum, size) => sum + size, waitingBytes);

  return {
    add(record) {
      const line = `${JSON.stringify(record)}\n`;
      if (bytes() + line.length > maxBytes)
        return Promise.reject(new Error(`more than ${maxBytes} bytes wait already`));
      waitingBytes += line.length;
      waiting.push(line);
      const written = writing.then(write);
      writing = written.catch(() => undefined);
      return written;
    },
    async replay(give) {
      // What comes from now on goes into the next file.
      segment += 1;
      await writing;
      for (const file of await filesIn(directory, { self, segment, abandonedMs })) await giveFile(file, give);
    },
    isEmpty: () => bytes() === 0,
    bytes,
  };
}

interface Own {
  self: string;
  segment: number;
  abandonedMs: number;
}

/** Our own that are complete, and those nobody writes to any more, which are made ours before anyone reads them. */
async function filesIn(directory: string, { self, segment, abandonedMs }: Own): Promise<string[]> {
  const names = await readdir(directory).catch(() => []);
  const files: string[] = [];
  for (const name of names.filter((each) => each.endsWith(suffix))) {
    const file = join(directory, name);
    if (name.startsWith(self)) {
      if (name !== `${self}-${segment}${suffix}`) files.push(file);
    } else if (await isAbandoned(file, abandonedMs)) {
      const taken = join(directory, `${self}-of-${name}`);
      if (await rename(file, taken).then(() => true, () => false)) files.push(taken); // prettier-ignore
    }
  }
  return files;
}

const isAbandoned = (file: string, afterMs: number): Promise<boolean> =>
  stat(file).then(
    ({ mtimeMs }) => Date.now() - mtimeMs > afterMs,
    () => false,
  );

/** A process that died in the middle of a line leaves half of one. */
function readLine(line: string): UsageRecord[] {
  try {
    return [usageRecordSchema.parse(JSON.parse(line))];
  } catch {
    return [];
  }
}
