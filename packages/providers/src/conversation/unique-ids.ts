/** Returns each id unchanged the first time and with a numeric suffix after that. */
export function createUniqueIds(): (id: string) => string {
  const used = new Set<string>();
  return (id) => {
    let name = id;
    for (let count = 2; used.has(name); count += 1) name = `${id}_${count}`;
    used.add(name);
    return name;
  };
}
