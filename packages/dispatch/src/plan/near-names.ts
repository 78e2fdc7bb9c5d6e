/** Longer than any name there is: what a client sends may be a novel. */
const maxLength = 100;

/** Up to three names a person may have meant, best first. Only for people: it runs when a model is not found. */
export function nearNames(wanted: string, names: readonly string[]): string[] {
  const asked = wanted.slice(0, maxLength).toLowerCase();
  const limit = Math.max(2, Math.floor(asked.length / 3));
  return names
    .map((name) => ({ name, distance: distanceTo(asked, name.toLowerCase()) }))
    .filter(({ distance }) => distance <= limit)
    .toSorted((left, right) => left.distance - right.distance)
    .slice(0, 3)
    .map(({ name }) => name);
}

/** Edits between two names; one that continues what was typed counts as close. */
function distanceTo(asked: string, name: string): number {
  if (asked.length >= 3 && name.startsWith(asked)) return 1;
  let previous = Array.from({ length: name.length + 1 }, (_, index) => index);
  for (let row = 1; row <= asked.length; row += 1) {
    const current = [row];
    for (let column = 1; column <= name.length; column += 1) {
      const same = asked[row - 1] === name[column - 1];
      const replaced = (previous[column - 1] ?? 0) + (same ? 0 : 1);
      current.push(Math.min(replaced, (previous[column] ?? 0) + 1, (current[column - 1] ?? 0) + 1));
    }
    previous = current;
  }
  return previous[name.length] ?? asked.length;
}
