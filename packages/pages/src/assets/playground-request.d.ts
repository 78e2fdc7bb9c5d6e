type Kind = 'chat' | 'images';

/** The fields of the form; empty ones do not count. */
type Fields = Readonly<Record<string, string>>;

/** Throws an Error with the name of the wrong field as its cause. */
export function requestOf(kind: Kind, fields: Fields): Record<string, unknown>;

type Code = (kind: Kind, sent: { url: string; request: object }) => string;

export const codeFor: Readonly<Record<'curl' | 'python' | 'typescript', Code>>;
