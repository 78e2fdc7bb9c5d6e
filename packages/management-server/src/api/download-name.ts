const longest = 120;

/** A file name of words, which clients may have chosen: `requests-failed-over-2026-11-26-to-2026-11-27.csv`. */
export function downloadName(words: readonly (string | undefined)[], extension = 'csv'): string {
  const text = words
    .map((word = '') => word.replaceAll(/[^A-Za-z0-9.]+/g, '-').replaceAll(/^[-.]+|[-.]+$/g, ''))
    .filter((word) => word !== '')
    .join('-');
  return `${text.slice(0, longest)}.${extension}`;
}
