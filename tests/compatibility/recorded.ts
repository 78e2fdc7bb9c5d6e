import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Shape } from './shape.ts';

const folder = join(import.meta.dirname, 'fixtures');

/** The recorded versions, oldest first. The last one is under development; the one before it may run beside it. */
export const versions: readonly string[] = readdirSync(folder).toSorted((one, other) =>
  one.localeCompare(other, undefined, { numeric: true }),
);

export const currentVersion = versions.at(-1) ?? '';

/** The file with the shapes of a version's messages. */
export const shapesFile = (version: string): string => join(folder, version, 'shapes.json');

export const recordedShapes = (version: string): Readonly<Record<string, Shape>> => readJson(shapesFile(version));

interface RecordedFile {
  /** All recorded messages to one service. */
  file: Record<string, Record<string, unknown[]>>;
  /** The messages of the requested kind. */
  messages: readonly unknown[];
  last: unknown;
}

/** The file with the messages of one kind: `auth.authenticate.output` is in `auth.json`. */
export const messagesFile = (version: string, kind: string): string =>
  join(folder, version, `${kind.split('.')[0]}.json`);

export function recordedFile(version: string, kind: string): RecordedFile {
  const [, operation = '', part = ''] = kind.split('.');
  const file = readJson(messagesFile(version, kind));
  const messages = file[operation]?.[part] ?? [];
  return { file, messages, last: messages.at(-1) };
}

/** The recorded messages of one kind. */
export const recordedMessages = (version: string, kind: string): readonly unknown[] =>
  recordedFile(version, kind).messages;

const readJson = (path: string) => JSON.parse(readFileSync(path, 'utf8'));
