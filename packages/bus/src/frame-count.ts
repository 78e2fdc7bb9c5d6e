const reportEveryMs = 400;
/** A report may be lost together with the frames that it counts. */
const repeats = 2;

/**
 * How many frames of exchanges this process has sent to one other instance and received from it. Both arrive in order
 * over one connection, so a count that differs from the other side's means that frames were lost, also the last ones.
 */
export class FrameCount {
  #sent = 0;
  #received = 0;
  #reported = 0;
  #reportedAt = 0;
  #repeats = 0;

  sent(): void {
    this.#sent += 1;
  }

  received(): void {
    this.#received += 1;
  }

  /** Whether the other side may not know how many frames it was sent. */
  get isOpen(): boolean {
    return this.#sent !== this.#reported || this.#repeats > 0;
  }

  isDue(now: number): boolean {
    return this.isOpen && now - this.#reportedAt >= reportEveryMs;
  }

  /** The number of frames sent so far, to be sent to the other side. */
  report(now: number): number {
    if (this.#sent !== this.#reported) this.#repeats = repeats;
    else if (this.#repeats > 0) this.#repeats -= 1;
    this.#reported = this.#sent;
    this.#reportedAt = now;
    return this.#sent >>> 0;
  }

  /**
   * Compares with the other side's report, and starts again from it. Zero means that it has sent nothing or that an older
   * version does not count.
   */
  agrees(reported: number): boolean {
    if (reported === 0 || reported === this.#received >>> 0) return true;
    this.#received = reported;
    return false;
  }
}
