import type { LeftOvers, Path } from '../left-over.ts';
import { isObject, type Members, openMembers } from '../members.ts';

/** Portkey accepts names of members in two notations, `overrideParams` and `override_params`. */
export function openConfig(value: unknown, path: Path, left: LeftOvers): Members {
  if (!isObject(value)) return openMembers(value, path, left);
  const entries = Object.entries(value).map(([name, member]) => [snakeCase(name), member] as const);
  return openMembers(Object.fromEntries(entries), path, left);
}

const snakeCase = (name: string): string => name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
