const maxCount = 512;
const maxBytes = 8 * 1024 * 1024;

/** Answers that are on their way: kept for a while, within bounds, so that a lost frame can be sent again. */
export class Linger<Answer extends { keptBytes: number }> {
  #answers = new Map<string, Answer>();
  #bytes = 0;

  keep(token: string, answer: Answer): void {
    if (answer.keptBytes === 0) return;
    this.#answers.set(token, answer);
    this.#bytes += answer.keptBytes;
    for (const oldest of this.#answers.keys()) {
      if (this.#answers.size <= maxCount && this.#bytes <= maxBytes) return;
      this.#drop(oldest);
    }
  }

  get(token: string): Answer | undefined {
    return this.#answers.get(token);
  }

  #drop(token: string): void {
    this.#bytes -= this.#answers.get(token)?.keptBytes ?? 0;
    this.#answers.delete(token);
  }
}
