/** A text that counts its characters that were read: only so is it known how much work a search was. */
export class ReadText extends String {
  #reads = 0;

  get reads(): number {
    return this.#reads;
  }

  override charCodeAt(at: number): number {
    this.#reads += 1;
    return super.charCodeAt(at);
  }
}
