import type { UsageRecord } from '@tallyport/contracts';
import { createSpillFiles } from './spill-files.ts';

/** Keeps records in files until the journal accepts them. They outlive this process. */
export interface Spill {
  /** Resolves once the record is written. Rejects if there is no room or the disk fails. */
  add(record: UsageRecord): Promise<void>;
  /**
   * Passes every record to `give`, those of dead processes in the same folder included, and removes a file once all its
   * records were accepted. Rejects with the first refusal; records accepted before it may be passed again later.
   */
  replay(give: (record: UsageRecord) => Promise<unknown>): Promise<void>;
  /** Whether this process knows of no waiting records. */
  isEmpty(): boolean;
  bytes(): number;
}

export interface SpillOptions {
  directory: string;
  maxBytes: number;
  /** A process without a sign of life for this long is considered dead. */
  abandonedMs?: number;
}

const replayedAtOnce = 64;

interface Batch {
  lines: string[];
  bytes: number;
  written: Promise<void>;
}

export function createSpill({ directory, maxBytes, abandonedMs = 30_000 }: SpillOptions): Spill {
  const files = createSpillFiles(directory, abandonedMs);
  /** The records of the next write. */
  let batch: Batch | undefined;
  /** The write in progress; writes run one after the other. */
  let writing: Promise<void> = Promise.resolve();
  const bytes = (): number => files.bytes() + (batch?.bytes ?? 0);

  /** Starts a batch that is written as a whole or not at all; all its callers get the same result. */
  function openBatch(): Batch {
    const lines: string[] = [];
    const written = writing.then(() => {
      batch = undefined;
      return files.append(lines.join(''));
    });
    writing = written.catch(() => undefined);
    return { lines, bytes: 0, written };
  }

  async function giveFile(file: string, give: (record: UsageRecord) => Promise<unknown>): Promise<void> {
    const records = (await files.read(file)).split('\n').flatMap(readLine);
    for (let at = 0; at < records.length; at += replayedAtOnce) {
      await Promise.all(records.slice(at, at + replayedAtOnce).map(give));
    }
    await files.remove(file);
  }

  return {
    add(record) {
      const line = `${JSON.stringify(record)}\n`;
      const length = Buffer.byteLength(line);
      if (bytes() + length > maxBytes) return Promise.reject(new Error(`the limit of ${maxBytes} bytes is reached`));
      batch ??= openBatch();
      batch.bytes += length;
      batch.lines.push(line);
      return batch.written;
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
 * Keeps the record as it was written, because a newer version may have added members. A process that died while writing
 * leaves half a line, which is skipped: its answer was not finished either.
 */
function readLine(line: string): UsageRecord[] {
  try {
    const record: UsageRecord | null = JSON.parse(line);
    return typeof record?.id === 'string' ? [record] : [];
  } catch {
    return [];
  }
}
