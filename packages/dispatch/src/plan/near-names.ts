/** Longer than any real name; limits the work for what clients send. */
const maxLength = 100;

/** Up to three names that may have been meant, best first. Runs only when a model was not found. */
export function nearNames(wanted: string, names: readonly string[]): string[] {
  const typed = wanted.slice(0, maxLength).toLowerCase();
  const limit = Math.max(2, Math.floor(typed.length / 3));
  return names
    .map((name) => ({ name, distance: distanceTo(typed, name.toLowerCase()) }))
    .filter(({ distance }) => distance <= limit)
    .toSorted((left, right) => left.distance - right.distance)
    .slice(0, 3)
    .map(({ name }) => name);
}

/** The edit distance, except that a name which continues the input counts as close. */
function distanceTo(typed: string, name: string): number {
  if (typed.length >= 3 && name.startsWith(typed)) return 1;
  let previous = Array.from({ length: name.length + 1 }, (_, index) => index);
  for (let row = 1; row <= typed.length; row += 1) {
    const current = [row];
    for (let column = 1; column <= name.length; column += 1) {
      const same = typed[row - 1] === name[column - 1];
      const replaced = (previous[column - 1] ?? 0) + (same ? 0 : 1);
      current.push(Math.min(replaced, (previous[column] ?? 0) + 1, (current[column - 1] ?? 0) + 1));
    }
    previous = current;
  }
  return previous[name.length] ?? typed.length;
}
