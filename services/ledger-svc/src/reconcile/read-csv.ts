/** Reads comma-separated values with a head row, as RFC 4180 writes them. Empty lines are left out. */
export function readCsv(text: string): string[][] {
  const rows: string[][] = [];
  let row: string[] = [];
  // Alternately an unquoted cell, or a quoted one with doubled quotes, and what ends it.
  for (const [, quoted, plain = '', end = ''] of text.replace(/^\uFEFF/, '').matchAll(cell)) {
    row.push(quoted === undefined ? plain : quoted.replaceAll('""', '"'));
    if (end === ',') continue;
    if (row.length > 1 || row[0] !== '') rows.push(row);
    row = [];
    if (end === '') break;
  }
  return rows;
}

const cell = /(?:"((?:[^"]|"")*)"|([^,\r\n]*))(,|\r?\n|$)/g;
