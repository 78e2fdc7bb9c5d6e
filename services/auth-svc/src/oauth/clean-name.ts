const longestName = 100;
/** Line breaks, other control characters, and those that turn the direction of writing: a name could say something else with them. */
const unseen = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu;

/** A client's name for people to read: it is of anyone's choosing. */
export function cleanName(name: unknown): string | undefined {
  if (typeof name !== 'string') return undefined;
  const clean = name.replace(unseen, ' ').replaceAll(/\s+/g, ' ').trim();
  return [...clean].slice(0, longestName).join('') || undefined;
}
