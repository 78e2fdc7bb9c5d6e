/** Longer texts get larger pieces, so that no text is more pieces than this. */
const mostPieces = 20_000;

/** Word by word; text without spaces a few characters at a time. */
export function splitWords(text: string): string[] {
  const words = (text.match(/\s*\S+(?:\s+$)?|\s+$/g) ?? []).flatMap((word) => splitCharacters(word, 24));
  const together = Math.ceil(words.length / mostPieces);
  if (together <= 1) return words;
  return Array.from({ length: Math.ceil(words.length / together) }, (_, index) =>
    words.slice(index * together, (index + 1) * together).join(''),
  );
}

/** By code point: a piece never holds half a character. */
export const splitCharacters = (text: string, length: number): string[] =>
  text.length <= length ? [text] : (text.match(new RegExp(`[^]{1,${length}}`, 'gu')) ?? []);
