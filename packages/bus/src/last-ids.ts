const generationIds = 10_000;

/**
 * At least the last 10,000 ids, in two generations: deleting the oldest id of one set for each new one would search the
 * places of those deleted before.
 */
export class LastIds {
  #young = new Set<string>();
  #old = new Set<string>();

  has(id: string): boolean {
    return this.#young.has(id) || this.#old.has(id);
  }

  /** Returns `false` if the id is already known. */
  add(id: string): boolean {
    if (this.has(id)) return false;
    if (this.#young.size === generationIds) {
      this.#old = this.#young;
      this.#young = new Set();
    }
    this.#young.add(id);
    return true;
  }
}
