import type { Source } from './sources.ts';

/** Names with one meaning that several files declare, such as two implementations of an interface. */
export const allowedHomonyms: readonly string[] = [];

const declarations =
  /^export (?:declare )?(?:async )?(?:abstract )?(?:const|let|function\*?|class|interface|type|enum) (\w+)/gm;

/** Name → the files that declare and export it, for names with more than one such file. */
export function homonymsIn(sources: readonly Source[]): Map<string, string[]> {
  const places = new Map<string, string[]>();
  for (const { path, text } of sources) {
    for (const name of new Set([...text.matchAll(declarations)].map(([, found = '']) => found))) {
      places.set(name, [...(places.get(name) ?? []), path]);
    }
  }
  const shared = [...places].filter(([, files]) => files.length > 1);
  return new Map(shared.toSorted(([a], [b]) => compare(a, b)));
}

/** Declarations that share their name with another file, per 1,000 lines. */
export function homonymRate(homonyms: ReadonlyMap<string, readonly string[]>, lines: number): number {
  const declared = [...homonyms.values()].reduce((sum, files) => sum + files.length, 0);
  return (declared / lines) * 1000;
}

export const linesOf = (sources: readonly Source[]): number =>
  sources.reduce((sum, { text }) => sum + text.split('\n').length, 0);

const compare = (a: string, b: string): number => a.localeCompare(b, 'en');
