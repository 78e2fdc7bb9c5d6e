/** Returns each id unchanged the first time and with a numeric suffix after that. */
export function createUniqueIds(): (id: string) => string {
  const used = new Set<string>();
  /** The next suffix to try of each id, so that an id that occurs often is not searched from the beginning. */
  const next = new Map<string, number>();
  return (id) => {
    let name = id;
    let count = next.get(id) ?? 2;
    for (; used.has(name); count += 1) name = `${id}_${count}`;
    next.set(id, count);
    used.add(name);
    return name;
  };
}
