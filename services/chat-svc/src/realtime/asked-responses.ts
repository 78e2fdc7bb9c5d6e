/** A vendor that has not begun a response after this never does: it may answer several requests with one. */
const longestMs = 30_000;

/** Responses that a client has asked for, and the vendor has not begun. */
export class AskedResponses {
  readonly #times: number[] = [];

  get count(): number {
    const oldest = performance.now() - longestMs;
    while (this.#times[0] !== undefined && this.#times[0] < oldest) this.#times.shift();
    return this.#times.length;
  }

  add(): void {
    this.#times.push(performance.now());
  }

  /** The vendor has begun one, or has refused it. */
  begun(): void {
    this.#times.shift();
  }
}
