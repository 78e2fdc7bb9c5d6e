const remembered = 10_000;

/** Whether an id was seen lately. */
export class LastIds {
  #ids = new Set<string>();

  /** `false` when it was seen before. */
  add(id: string): boolean {
    if (this.#ids.has(id)) return false;
    this.#ids.add(id);
    if (this.#ids.size > remembered) for (const oldest of this.#ids) return this.#ids.delete(oldest);
    return true;
  }
}
