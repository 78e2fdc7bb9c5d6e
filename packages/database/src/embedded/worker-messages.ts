/** What the thread of the embedded database is given at its start: a directory, or undefined for memory. */
export interface WorkerStart {
  files: string | undefined;
}

/** Requests are carried out one after another. After `close` the thread ends. */
export type WorkerRequest = WorkerQuery | { kind: 'close' };

export interface WorkerQuery {
  kind: 'query';
  id: number;
  sql: string;
  parameters: readonly unknown[];
}

/** `open` or `not_open` comes first and once; after `not_open` the thread ends. */
export type WorkerReply =
  | { kind: 'open' }
  | { kind: 'not_open'; error: SentError }
  | { kind: 'result'; id: number; result: WorkerResult }
  | { kind: 'error'; id: number; error: SentError };

export interface WorkerResult {
  rows: unknown[];
  affectedRows: number | undefined;
  /** The command that was carried out: `ROLLBACK` also for the commit of a failed transaction. */
  command: string | undefined;
}

/** An error in a form that threads can exchange. Copying the error itself would lose its code. */
interface SentError {
  message: string;
  fields: Record<string, string>;
}

/** The fields of Postgres' errors; without those of PGlite, which repeat the statement and its values. */
const fieldNames = [
  'code',
  'severity',
  'detail',
  'hint',
  'position',
  'where',
  'schema',
  'table',
  'column',
  'constraint',
];

export function sentError(error: unknown): SentError {
  if (!(error instanceof Error)) return { message: String(error), fields: {} };
  const fields = Object.entries(error).filter(
    (entry): entry is [string, string] => fieldNames.includes(entry[0]) && typeof entry[1] === 'string',
  );
  return { message: error.message, fields: Object.fromEntries(fields) };
}

export const receivedError = ({ message, fields }: SentError): Error => Object.assign(new Error(message), fields);
