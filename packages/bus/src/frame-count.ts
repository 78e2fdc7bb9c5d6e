const reportEveryMs = 400;
/** After the last frame: a report may be lost together with the frames that it counts. */
const reportsAfterFrame = 3;

/**
 * How many frames of exchanges this process has sent to one other instance and received from it. Both arrive in order
 * over one connection, so a count that differs from the other side's means that frames were lost, also the last ones.
 */
export class FrameCount {
  #sent = 0;
  #received = 0;
  #reportedAt = 0;
  #reportsLeft = 0;

  sent(): void {
    this.#sent += 1;
    this.#reportsLeft = reportsAfterFrame;
  }

  received(): void {
    this.#received += 1;
  }

  /** Whether the other side may not know how many frames it was sent. */
  get isOpen(): boolean {
    return this.#reportsLeft > 0;
  }

  isDue(now: number): boolean {
    return this.isOpen && now - this.#reportedAt >= reportEveryMs;
  }

  /** The number of frames sent so far, to be sent to the other side. */
  report(now: number): number {
    this.#reportsLeft = Math.max(0, this.#reportsLeft - 1);
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
