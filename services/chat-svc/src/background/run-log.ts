import type { Store } from '@tallyport/store';

/** One event of a run, numbered by its place in the log. */
export interface LoggedEvent {
  /** One word. */
  type: string;
  /** Without line breaks. */
  json: string;
}

/** The memory for events that are not stored yet, of all runs of this process. */
export interface LogRoom {
  held: number;
  readonly limit: number;
}

/** Writes the events of a run, for readers on every replica. */
export interface RunLog {
  /** The number of the next event. */
  next(): number;
  append(event: LoggedEvent): void;
  /** Resolves when all events so far are stored, or the log is lost. */
  flush(): Promise<void>;
  /** Some events are missing, and no more are stored. */
  isLost(): boolean;
  close(): void;
}

export type LogStore = Pick<Store, 'find' | 'publish' | 'set'>;

interface LogOptions {
  /** Names its pieces, and the channel on which readers wait. */
  name: string;
  ttlMs: number;
  maxBytes: number;
  room: LogRoom;
  /** Whether this process still has the run: asked before each write. */
  isHeld(): Promise<boolean>;
}

/** A piece at least as long as this is never added to. */
const sealedBytes = 16 * 1024;
/** Below the store's size limit of a value. */
const longestPieceBytes = 512 * 1024;
/** How long events wait for others. */
const gatherMs = 50;

export const logPiece = (name: string, index: number): string => `${name}:${index}`;
export const isSealed = (bytes: number): boolean => bytes >= sealedBytes;
const lineOf = ({ type, json }: LoggedEvent): Buffer => Buffer.from(`${type} ${json}\n`);

/** Where a log goes on. */
export interface LogEnd {
  events: number;
  bytes: number;
  piece: number;
  /** The bytes of the piece that is not sealed. */
  last: Buffer;
}

const emptyLog: LogEnd = { events: 0, bytes: 0, piece: 0, last: Buffer.alloc(0) };

export function writeLog(store: LogStore, options: LogOptions, end: LogEnd = emptyLog): RunLog {
  const { name, ttlMs, maxBytes, room, isHeld } = options;
  let { events, bytes, piece, last: stored } = end;
  let waiting: Buffer[] = [];
  /** Nothing is added any more. What waits is still written to a full log, so that readers see how the run began. */
  let isLost = false;
  let timer: NodeJS.Timeout | undefined;
  let flushed = Promise.resolve();

  function lose(): void {
    isLost = true;
    for (const line of waiting.splice(0)) room.held -= line.length;
  }

  async function write(): Promise<void> {
    if (waiting.length === 0) return;
    if (!(await isHeld())) return lose();
    const lines = waiting;
    waiting = [];
    const added = Buffer.concat(lines);
    room.held -= added.length;
    const written = await writePieces(store, { name, piece, ttlMs }, Buffer.concat([stored, added]));
    if (written === undefined) lose();
    else ({ piece, last: stored } = written);
    void store.publish(name, Buffer.alloc(0));
  }

  function flush(): Promise<void> {
    clearTimeout(timer);
    timer = undefined;
    flushed = flushed.then(write);
    return flushed;
  }

  return {
    next: () => events,
    append(event) {
      const line = lineOf(event);
      events += 1;
      bytes += line.length;
      if (bytes > maxBytes || room.held + line.length > room.limit) isLost = true;
      if (isLost) return;
      room.held += line.length;
      waiting.push(line);
      timer ??= setTimeout(() => void flush(), gatherMs);
    },
    flush,
    isLost: () => isLost,
    close() {
      clearTimeout(timer);
      lose();
    },
  };
}

/** Deletes all pieces of a log. */
export async function dropLog(store: Pick<Store, 'delete' | 'get'>, name: string): Promise<void> {
  for (let piece = 0; (await store.get(logPiece(name, piece))) !== undefined; piece += 1)
    await store.delete(logPiece(name, piece));
}

/** Writes bytes from a piece on. `undefined` unless all of them are certainly stored. */
async function writePieces(
  store: Pick<LogStore, 'set'>,
  { name, piece: first, ttlMs }: Pick<LogOptions, 'name' | 'ttlMs'> & { piece: number },
  all: Buffer,
): Promise<Pick<LogEnd, 'piece' | 'last'> | undefined> {
  let [piece, last] = [first, Buffer.alloc(0)];
  for (let from = 0; from < all.length; from += longestPieceBytes) {
    last = Buffer.from(all.subarray(from, from + longestPieceBytes));
    if ((await store.set(logPiece(name, piece), last, ttlMs)) !== 'stored') return undefined;
    if (!isSealed(last.length)) continue;
    piece += 1;
    last = Buffer.alloc(0);
  }
  return { piece, last };
}
