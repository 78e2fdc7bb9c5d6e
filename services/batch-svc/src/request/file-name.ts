const longest = 255;

/** The last part of a path, without characters that no file name has. */
export function fileNameOf(sent = ''): string {
  const name =
    sent
      .slice(-longest * 2)
      .split(/[\\/]/)
      .at(-1) ?? '';
  const plain = [...name]
    .filter((character) => !isControl(character))
    .join('')
    .trim();
  return plain.slice(0, longest).toWellFormed() || 'unnamed';
}

const isControl = (character: string): boolean => character < ' ' || (character >= '\u007F' && character <= '\u009F');
