interface Branch<Handle> {
  handle: Handle | undefined;
  readonly next: Map<string, Branch<Handle>>;
}

const newBranch = <Handle>(): Branch<Handle> => ({ handle: undefined, next: new Map() });

/** Finds handles by their label values, level by level. Every request does this, so no combined key is built. */
export class HandleTree<Handle> {
  readonly #names: readonly string[];
  readonly #root = newBranch<Handle>();
  #size = 0;

  constructor(names: readonly string[]) {
    this.#names = names;
  }

  get size(): number {
    return this.#size;
  }

  find(values: Readonly<Record<string, string>>): Handle | undefined {
    let branch: Branch<Handle> | undefined = this.#root;
    for (const name of this.#names) branch = branch?.next.get(values[name] ?? '');
    return branch?.handle;
  }

  add(values: Readonly<Record<string, string>>, handle: Handle): Handle {
    let branch = this.#root;
    for (const name of this.#names) {
      const value = values[name] ?? '';
      const next = branch.next.get(value) ?? newBranch<Handle>();
      branch.next.set(value, next);
      branch = next;
    }
    branch.handle = handle;
    this.#size += 1;
    return handle;
  }
}
