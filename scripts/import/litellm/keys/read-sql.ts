/**
 * The rows of some tables in a dump of Postgres: as `COPY … FROM stdin`, the default of pg_dump, or as `INSERT`
 * statements with the names of the columns. Values are texts or null.
 */
export function readSql(text: string, tables: ReadonlySet<string>): Map<string, Record<string, string | null>[]> {
  const found = new Map<string, Record<string, string | null>[]>();
  const head = /^(COPY|INSERT INTO) (?:[\w"]+\.)?"?(\w+)"? \(([^)\n]*)\) (FROM stdin;\r?\n|VALUES\s)/gm;
  for (let match = head.exec(text); match !== null; match = head.exec(text)) {
    const [, kind, table = '', names = ''] = match;
    const columns = names.split(',').map((name) => name.trim().replaceAll('"', ''));
    const { rows, end } = kind === 'COPY' ? copied(text, head.lastIndex) : inserted(text, head.lastIndex);
    head.lastIndex = end;
    if (!tables.has(table)) continue;
    const records = rows.map((cells) => Object.fromEntries(columns.map((name, at) => [name, cells[at] ?? null])));
    found.set(table, [...(found.get(table) ?? []), ...records]);
  }
  return found;
}

interface Rows {
  rows: (string | null)[][];
  /** Where the statement ends. */
  end: number;
}

function copied(text: string, from: number): Rows {
  const last = text.indexOf('\n\\.', from - 1);
  const end = last < 0 ? text.length : last;
  const lines = text
    .slice(from, Math.max(from, end))
    .split(/\r?\n/)
    .filter((line) => line !== '');
  return { rows: lines.map((line) => line.split('\t').map(copiedCell)), end: Math.max(from, end) };
}

const escapes: Readonly<Record<string, string>> = { b: '\b', f: '\f', n: '\n', r: '\r', t: '\t', v: '\v' };

const copiedCell = (cell: string): string | null =>
  cell === '\\N' ? null : cell.replaceAll(/\\(.)/g, (_whole, letter: string) => escapes[letter] ?? letter);

/** Values of statements: texts in quotes, or words such as NULL, true and numbers. */
function inserted(text: string, from: number): Rows {
  const token = /\s*(?:([(),;])|E?'([^']*(?:''[^']*)*)'(?:::[\w"[\]]+)?|([^\s(),;']+))/gy;
  token.lastIndex = from;
  const rows: (string | null)[][] = [];
  for (let match = token.exec(text); match !== null && match[1] !== ';'; match = token.exec(text)) {
    const [, sign, quoted, word] = match;
    if (sign === '(') rows.push([]);
    else if (sign === undefined) rows.at(-1)?.push(quoted?.replaceAll("''", "'") ?? wordIn(word));
  }
  return { rows, end: token.lastIndex || text.length };
}

const wordIn = (word = ''): string | null => (word.toUpperCase() === 'NULL' ? null : word);
