import { GatewayError } from '@tallyport/contracts';
import { type AnswerQueue, AnswerRoom } from './answer-room.ts';

interface AnswerMemoryOptions {
  limit: number;
  /** The name of the limit, for the error message. */
  setting: string;
  /** How long one answer waits in total. */
  longestWaitMs?: number;
}

/** Bytes that a room waits for. */
interface Wait {
  room: AnswerRoom;
  bytes: number;
  /** Called once the room has the bytes, or needs none any more. */
  end(): void;
}

/**
 * Limits the memory of answers while they are read and sent. A provider has been paid for an answer, so none is refused:
 * reading waits instead. The oldest answers are read first. What has been read of younger ones does not keep them from
 * it, so the limit may be exceeded by as much again; and where all would wait for each other, the oldest goes on.
 */
export class AnswerMemory implements AnswerQueue {
  readonly limit: number;
  readonly longestWaitMs: number;
  readonly #setting: string;
  #held = 0;
  #opened = 0;
  /** By the age of their rooms. */
  #waits: Wait[] = [];

  constructor({ limit, setting, longestWaitMs = 60_000 }: AnswerMemoryOptions) {
    this.limit = limit;
    this.longestWaitMs = longestWaitMs;
    this.#setting = setting;
  }

  readonly held = (): number => this.#held;

  /** Opens the room of an answer. When `signal` aborts, its bytes are released. */
  open(signal: AbortSignal): AnswerRoom {
    this.#opened += 1;
    return new AnswerRoom(this, this.#opened, signal);
  }

  hasRoomFor(bytes: number): boolean {
    return this.#waits.length === 0 && this.#fits(bytes);
  }

  count(bytes: number): void {
    this.#held += bytes;
  }

  wait(room: AnswerRoom, bytes: number, longestMs: number): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const timer = setTimeout(() => {
      this.#remove((other) => other === wait);
      reject(noRoom(this.#setting));
    }, longestMs);
    const wait: Wait = {
      room,
      bytes,
      end() {
        clearTimeout(timer);
        resolve();
      },
    };
    const at = this.#waits.findLastIndex((other) => other.room.age <= room.age) + 1;
    this.#waits.splice(at, 0, wait);
    this.#goOn();
    return promise;
  }

  leave(room: AnswerRoom): void {
    for (const wait of this.#waits) if (wait.room === room) wait.end();
    this.#remove((wait) => wait.room === room);
  }

  #remove(isGone: (wait: Wait) => boolean): void {
    if (this.#waits.length === 0) return;
    this.#waits = this.#waits.filter((wait) => !isGone(wait));
    this.#goOn();
  }

  /** Gives the oldest rooms what they wait for. */
  #goOn(): void {
    for (let [first] = this.#waits; first !== undefined && this.#mayHave(first); [first] = this.#waits) {
      this.#waits.shift();
      first.room.add(first.bytes);
      first.end();
    }
  }

  #mayHave({ room, bytes }: Wait): boolean {
    const waiting = bytesOf(this.#waits);
    return this.#fits(bytes - waiting + room.held) || this.#held === waiting;
  }

  #fits(bytes: number): boolean {
    return this.#held + bytes <= this.limit;
  }
}

function bytesOf(waits: readonly Wait[]): number {
  let bytes = 0;
  for (const room of new Set(waits.map((wait) => wait.room))) bytes += room.held;
  return bytes;
}

const noRoom = (setting: string): GatewayError =>
  new GatewayError('unavailable', `This server's memory for answers stays full (${setting}). Try again in a minute.`, {
    retryAfterMs: 60_000,
    domain: 'gateway',
  });
