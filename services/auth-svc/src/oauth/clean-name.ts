const maxNameLength = 100;
/** Line breaks, other control characters and text direction marks, with which a name could mislead. */
const unseen = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu;

/** Cleans a client's name for display. Clients choose their names freely. */
export function cleanName(name: unknown): string | undefined {
  if (typeof name !== 'string') return undefined;
  const clean = name.replace(unseen, ' ').replaceAll(/\s+/g, ' ').trim();
  return [...clean].slice(0, maxNameLength).join('') || undefined;
}
