import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Shape } from './shape.ts';

const folder = join(import.meta.dirname, 'fixtures');

/** The versions whose messages are kept, oldest first: the last one is being built, the one before it may run beside it. */
export const versions: readonly string[] = readdirSync(folder).toSorted((one, other) =>
  one.localeCompare(other, undefined, { numeric: true }),
);

export const currentVersion = versions.at(-1) ?? '';

/** Where the shapes of a version's messages are kept. */
export const shapesFile = (version: string): string => join(folder, version, 'shapes.json');

export const recordedShapes = (version: string): Readonly<Record<string, Shape>> => readJson(shapesFile(version));

/** What a version sent of one kind: `auth.authenticate.output`. */
export function recordedMessages(version: string, kind: string): readonly unknown[] {
  const [service = '', operation = '', part = ''] = kind.split('.');
  const kept: Record<string, Record<string, unknown[]>> = readJson(join(folder, version, `${service}.json`));
  return kept[operation]?.[part] ?? [];
}

const readJson = (path: string) => JSON.parse(readFileSync(path, 'utf8'));
