const maxIds = 10_000;

/** The last 10,000 ids. */
export class LastIds {
  #ids = new Set<string>();

  has(id: string): boolean {
    return this.#ids.has(id);
  }

  /** Returns `false` if the id is already in the set. */
  add(id: string): boolean {
    if (this.#ids.has(id)) return false;
    this.#ids.add(id);
    if (this.#ids.size > maxIds) for (const oldest of this.#ids) return this.#ids.delete(oldest);
    return true;
  }
}
