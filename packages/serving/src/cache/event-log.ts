/**
 * Stores the events of a stream compactly: of each event only the part that differs from the one before it, usually a
 * word or two of some two hundred bytes. Any number of readers can read it at their own pace, also while it grows.
 */
export class EventLog {
  #bytes = Buffer.allocUnsafe(firstBytes);
  #length = 0;
  #last: Uint8Array = new Uint8Array();

  /** Appends an event. */
  push(event: Uint8Array): void {
    const prefix = sharedPrefix(this.#last, event);
    const suffix = sharedSuffix(this.#last, event, prefix);
    const middle = event.subarray(prefix, event.length - suffix);
    this.#reserve(3 * longestFigure + middle.length);
    this.#write(prefix);
    this.#write(suffix);
    this.#write(middle.length);
    this.#bytes.set(middle, this.#length);
    this.#length += middle.length;
    this.#last = event;
  }

  /** The memory used, in bytes. */
  get size(): number {
    return this.#length;
  }

  /** The encoded log so far; decode it with `eventReader`. */
  bytes(): Buffer {
    return this.#bytes.subarray(0, this.#length);
  }

  clear(): void {
    this.#bytes = Buffer.alloc(0);
    this.#length = 0;
  }

  /** Writes a varint: seven bits per byte, lowest first; the highest bit says that more bytes follow. */
  #write(figure: number): void {
    let rest = figure;
    for (; rest >= 128; rest >>>= 7) this.#bytes[this.#length++] = (rest & 127) | 128;
    this.#bytes[this.#length++] = rest;
  }

  #reserve(more: number): void {
    const needed = this.#length + more;
    if (needed <= this.#bytes.length) return;
    const larger = Buffer.allocUnsafe(Math.max(needed, this.#bytes.length * 2));
    this.#bytes.copy(larger, 0, 0, this.#length);
    this.#bytes = larger;
  }
}

const firstBytes = 1024;
/** 32 bits, seven per byte. */
const longestFigure = 5;

function sharedPrefix(one: Uint8Array, other: Uint8Array): number {
  const most = Math.min(one.length, other.length);
  let shared = 0;
  while (shared < most && one[shared] === other[shared]) shared += 1;
  return shared;
}

function sharedSuffix(one: Uint8Array, other: Uint8Array, prefix: number): number {
  const most = Math.min(one.length, other.length) - prefix;
  let shared = 0;
  while (shared < most && one[one.length - 1 - shared] === other[other.length - 1 - shared]) shared += 1;
  return shared;
}

/** Reads a log event by event from its beginning; returns `undefined` at its current end. */
export function eventReader(bytes: () => Buffer): () => Buffer | undefined {
  let at = 0;
  let last = Buffer.alloc(0);
  const figure = (log: Buffer): number => {
    let value = 0;
    for (let shift = 0; ; shift += 7) {
      const byte = log[at++];
      if (byte === undefined || shift > 28) throw new RangeError('The event log is corrupted.');
      value |= (byte & 127) << shift;
      if (byte < 128) return value;
    }
  };
  return () => {
    const log = bytes();
    if (at >= log.length) return undefined;
    const [prefix, suffix, length] = [figure(log), figure(log), figure(log)];
    if (prefix + suffix > last.length || at + length > log.length) throw new RangeError('The event log is corrupted.');
    const middle = log.subarray(at, at + length);
    at += length;
    last = Buffer.concat([last.subarray(0, prefix), middle, last.subarray(last.length - suffix)]);
    return last;
  };
}
