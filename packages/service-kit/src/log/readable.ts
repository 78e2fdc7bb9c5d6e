const marks: Readonly<Record<string, string>> = { warn: '\u001B[33m', error: '\u001B[31m', fatal: '\u001B[31m' };
const hidden = new Set(['level', 'time', 'service', 'message', 'error', 'pid']);

/** Formats a JSON log line for a terminal: one short line, followed by the stack if there is one. */
export function readable(line: string): string {
  const entry: unknown = JSON.parse(line);
  if (typeof entry !== 'object' || entry === null) return line;
  const fields = new Map<string, unknown>(Object.entries(entry));
  const level = String(fields.get('level'));
  const words = [
    String(fields.get('time')).slice(11, 19),
    `${marks[level] ?? ''}${level.padEnd(5)}${level in marks ? '\u001B[0m' : ''}`,
    String(fields.get('service')).padEnd(11),
    fields.get('message') ?? '',
    ...[...fields].filter(([name]) => !hidden.has(name)).map(([name, value]) => `${name}=${short(value)}`),
  ];
  return `${words.join(' ')}${errorLines(fields.get('error'))}\n`;
}

function short(value: unknown): string {
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
  return text.length > 200 ? `${text.slice(0, 200)}…` : text;
}

function errorLines(error: unknown): string {
  if (typeof error !== 'object' || error === null) return '';
  const { message, stack, detail, cause } = error as Record<string, unknown>;
  const first = typeof stack === 'string' ? stack : String(message);
  const more = typeof detail === 'string' ? ` (${detail})` : '';
  return `\n  ${`${first}${more}`.replaceAll('\n', '\n  ')}${cause === undefined ? '' : `\n  because:${errorLines(cause)}`}`;
}
