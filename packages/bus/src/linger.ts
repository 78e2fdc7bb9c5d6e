const maxCount = 512;
const maxBytes = 8 * 1024 * 1024;

/** Finished answers that are not yet acknowledged, kept within bounds so that lost frames can be sent again. */
export class Linger<Answer extends { keptBytes: number }> {
  /**
   * With the size at insertion: `keptBytes` shrinks with every acknowledgement, but `#bytes` must subtract what was
   * added.
   */
  #answers = new Map<string, { answer: Answer; bytes: number }>();
  #bytes = 0;

  keep(token: string, answer: Answer): void {
    const bytes = answer.keptBytes;
    if (bytes === 0) return;
    this.#answers.set(token, { answer, bytes });
    this.#bytes += bytes;
    if (this.#isFull) this.#makeRoom();
  }

  get(token: string): Answer | undefined {
    return this.#answers.get(token)?.answer;
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
