/** The meaning of a vendor's error code. */
export type ErrorKind =
  | 'parameters'
  | 'context'
  | 'policy'
  | 'key'
  | 'money'
  | 'model'
  | 'limit'
  | 'overload'
  | 'timeout'
  | 'fault';

/** By the vendor's code: its meaning, or an equivalent HTTP status. */
export type ErrorKinds = Readonly<Record<string, ErrorKind | number>>;

interface Meaning {
  status: number;
  /** Needed if the status alone is ambiguous. */
  code?: string;
}

/** The equivalent OpenAI status and code. */
const meanings: Readonly<Record<ErrorKind, Meaning>> = {
  parameters: { status: 400, code: 'invalid_value' },
  context: { status: 400, code: 'context_length_exceeded' },
  policy: { status: 400, code: 'content_filter' },
  key: { status: 401 },
  money: { status: 402 },
  model: { status: 404 },
  limit: { status: 429 },
  overload: { status: 503 },
  timeout: { status: 504 },
  fault: { status: 500 },
};

export const meaningOf = (kind: ErrorKind | number): Meaning =>
  typeof kind === 'number' ? { status: kind } : meanings[kind];

/** The kind of the first of these codes in the table, by its full name or the part before the first dot. */
export function kindOf(
  kinds: ErrorKinds | undefined,
  ...codes: readonly (string | undefined)[]
): ErrorKind | number | undefined {
  if (kinds === undefined) return undefined;
  const names = codes.flatMap((code) => (code === undefined ? [] : [code, code.split('.', 1)[0] ?? code]));
  const known = names.find((name) => Object.hasOwn(kinds, name));
  return known === undefined ? undefined : kinds[known];
}
