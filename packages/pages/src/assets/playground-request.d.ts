/** What a playground makes. */
export type PlaygroundKind = 'chat' | 'images' | 'embeddings' | 'speech';

/** The fields of the form; empty ones do not count. */
type Fields = Readonly<Record<string, string>>;

/** A message of a conversation, and the answer of each model; `null` if it gave none. */
export interface PlaygroundTurn {
  prompt: string;
  answers: Readonly<Record<string, string | null>>;
}

/** Throws an Error with the name of the wrong field as its cause. */
export function requestOf(
  kind: PlaygroundKind,
  fields: Fields,
  turns?: readonly PlaygroundTurn[],
): Record<string, unknown>;

/** A value in JSON as Python writes it. */
export function pythonValue(value: unknown): string;

type Code = (kind: PlaygroundKind, sent: { url: string; request: object }) => string;

export const codeFor: Readonly<Record<'curl' | 'python' | 'typescript' | 'go', Code>>;
