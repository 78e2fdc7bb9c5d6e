/** Longer texts have larger pieces: an answer is encoded at once, and other requests of the process wait meanwhile. */
const maxPieces = 2_000;

/** Splits into words; text without spaces is split after a few characters. */
export function splitWords(text: string): string[] {
  const words = (text.match(/\s*\S+(?:\s+$)?|\s+$/g) ?? []).flatMap((word) => splitCharacters(word, 24));
  const together = Math.ceil(words.length / maxPieces);
  if (together <= 1) return words;
  return Array.from({ length: Math.ceil(words.length / together) }, (_, index) =>
    words.slice(index * together, (index + 1) * together).join(''),
  );
}

/** Splits by code point, so that no piece contains half a character. */
export const splitCharacters = (text: string, length: number): string[] =>
  text.length <= length ? [text] : (text.match(new RegExp(`[^]{1,${length}}`, 'gu')) ?? []);
