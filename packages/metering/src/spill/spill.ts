import type { UsageRecord } from '@switchyard/contracts';
import { createSpillFiles } from './spill-files.ts';

/** Records in files, until the journal takes them. They outlive this process. */
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
  /** A process of which nothing was seen for so long is dead. */
  abandonedMs?: number;
}

const givenAtOnce = 64;

export function createSpill({ directory, maxBytes, abandonedMs = 30_000 }: SpillOptions): Spill {
  const files = createSpillFiles(directory, abandonedMs);
  let waiting: string[] = [];
  let waitingBytes = 0;
  /** One after the other. */
  let writing: Promise<void> = Promise.resolve();
  const bytes = (): number => files.bytes() + waitingBytes;

  async function write(): Promise<void> {
    const lines = waiting.join('');
    waiting = [];
    waitingBytes = 0;
    if (lines !== '') await files.append(lines);
  }

  async function giveFile(file: string, give: (record: UsageRecord) => Promise<unknown>): Promise<void> {
    const records = (await files.read(file)).split('\n').flatMap(readLine);
    for (let at = 0; at < records.length; at += givenAtOnce) {
      await Promise.all(records.slice(at, at + givenAtOnce).map(give));
    }
    await files.remove(file);
  }

  return {
    add(record) {
      const line = `${JSON.stringify(record)}\n`;
      const length = Buffer.byteLength(line);
      if (bytes() + length > maxBytes) return Promise.reject(new Error(`more than ${maxBytes} bytes wait already`));
      waitingBytes += length;
      waiting.push(line);
      const written = writing.then(write);
      writing = written.catch(() => undefined);
      return written;
    },
    async replay(give) {
      files.turn();
      await writing;
      for (const file of await files.complete()) await giveFile(file, give);
    },
    isEmpty: () => bytes() === 0,
    bytes,
  };
}

/**
 * As it was written, were it by a newer version that knows more than this one. A process that died in the middle of a
 * line leaves half of one; that answer was not finished either.
 */
function readLine(line: string): UsageRecord[] {
  try {
    const record: UsageRecord | null = JSON.parse(line);
    return typeof record?.id === 'string' ? [record] : [];
  } catch {
    return [];
  }
}
