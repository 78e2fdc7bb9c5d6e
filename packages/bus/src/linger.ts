const maxCount = 512;
const maxBytes = 8 * 1024 * 1024;
const recentMs = 10_000;

/** Finished answers that are not yet acknowledged, kept within bounds so that lost frames can be sent again. */
export class Linger<Answer extends { keptBytes: number }> {
  /**
   * With the size at insertion: `keptBytes` shrinks with every acknowledgement, but `#bytes` must subtract what was
   * added.
   */
  #answers = new Map<string, { answer: Answer; bytes: number; keptAt: number }>();
  #bytes = 0;

  keep(token: string, answer: Answer): void {
    const bytes = answer.keptBytes;
    if (bytes === 0) return;
    this.#answers.set(token, { answer, bytes, keptAt: performance.now() });
    this.#bytes += bytes;
    if (this.#isFull) this.#makeRoom();
  }

  get(token: string): Answer | undefined {
    return this.#answers.get(token)?.answer;
  }

  /** The answers that were finished lately: for longer, no requester waits for one. */
  recent(): Answer[] {
    const from = performance.now() - recentMs;
    return [...this.#answers.values()].filter(({ keptAt }) => keptAt >= from).map(({ answer }) => answer);
  }

  /** Forgets an answer that will not be requested again. */
  release(token: string): void {
    this.#bytes -= this.#answers.get(token)?.bytes ?? 0;
    this.#answers.delete(token);
  }

  get #isFull(): boolean {
    return this.#answers.size > maxCount || this.#bytes > maxBytes;
  }

  #makeRoom(): void {
    for (const oldest of this.#answers.keys()) {
      if (!this.#isFull) return;
      this.release(oldest);
    }
  }
}
