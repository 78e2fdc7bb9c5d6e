/** What rooms share. */
export interface AnswerQueue {
  readonly longestWaitMs: number;
  /** Whether the bytes fit, and no older answer waits. */
  hasRoomFor(bytes: number): boolean;
  count(bytes: number): void;
  /** Resolves once the room has the bytes, or has left. Rejects after `longestMs`. */
  wait(room: AnswerRoom, bytes: number, longestMs: number): Promise<void>;
  /** Ends the waits of a room. */
  leave(room: AnswerRoom): void;
}

/** The memory that one answer holds. */
export class AnswerRoom {
  /** Rooms are numbered as they are opened. */
  readonly age: number;
  readonly #queue: AnswerQueue;
  readonly #signal: AbortSignal;
  #held = 0;
  #isReleased = false;
  #leftMs: number;

  constructor(queue: AnswerQueue, age: number, signal: AbortSignal) {
    this.#queue = queue;
    this.age = age;
    this.#signal = signal;
    this.#leftMs = queue.longestWaitMs;
  }

  get held(): number {
    return this.#held;
  }

  /**
   * Adds bytes. If there is no room for them, returns a promise that resolves once there is, or once the room was
   * released. It rejects with `unavailable` if the answer has waited too long.
   */
  take(bytes: number): Promise<void> | undefined {
    if (!this.#isOpen()) return undefined;
    if (!this.#queue.hasRoomFor(bytes)) return this.#wait(bytes);
    this.add(bytes);
    return undefined;
  }

  /** Adds bytes that are in memory anyway, even above the limit. */
  add(bytes: number): void {
    if (!this.#isOpen()) return;
    if (this.#held === 0) this.#signal.addEventListener('abort', this.release, { once: true });
    this.#held += bytes;
    this.#queue.count(bytes);
  }

  /** Releases all bytes. Later ones are ignored, because nothing would release them. */
  readonly release = (): void => {
    if (this.#isReleased) return;
    this.#isReleased = true;
    this.#signal.removeEventListener('abort', this.release);
    this.#queue.count(-this.#held);
    this.#held = 0;
    this.#queue.leave(this);
  };

  /** Releases all bytes after this turn of the event loop: until then the answer is counted again where it is sent. */
  handOver(): void {
    if (this.#held > 0) setImmediate(this.release);
  }

  #isOpen(): boolean {
    return !this.#isReleased && !this.#signal.aborted;
  }

  async #wait(bytes: number): Promise<void> {
    const since = performance.now();
    this.#signal.addEventListener('abort', this.release, { once: true });
    try {
      await this.#queue.wait(this, bytes, this.#leftMs);
    } finally {
      this.#leftMs = Math.max(0, this.#leftMs - (performance.now() - since));
    }
  }
}
