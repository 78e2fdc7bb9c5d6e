import { isPlainObject } from './plain-object.ts';

/** What is reported of the names that a client chose. */
const mostNames = 5;
const mostCharacters = 40;

/** The members of a body that its dialect does not read, at most five; `undefined` if it reads all. */
export function ignoredMembers(body: unknown, read: ReadonlySet<string>): readonly string[] | undefined {
  if (!isPlainObject(body)) return undefined;
  const names: string[] = [];
  for (const name in body) {
    if (read.has(name) || body[name] == null) continue;
    names.push(encodeURIComponent(name.slice(0, mostCharacters).toWellFormed()));
    if (names.length === mostNames) break;
  }
  return names.length === 0 ? undefined : names;
}
