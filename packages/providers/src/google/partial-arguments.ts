import { type ExactNumber, isExactNumber } from '@tallyport/wire';
import { isMembers, items, type Members, text } from '../read.ts';

/** Collects arguments that arrive in parts, each with the path of its value: `$.city`, `$.days[0]['name']`. */
export interface PartialArguments {
  /** Returns false if a value is nested deeper than any tool's arguments are. */
  add(parts: unknown): boolean;
  /** The arguments so far. */
  whole(): Members;
}

type Leaf = string | number | ExactNumber | boolean | null;
type Value = Leaf | Container;

interface Container {
  list: boolean;
  entries: Map<string, Value>;
}

const MAX_DEPTH = 64;

export function createPartialArguments(given: unknown): PartialArguments {
  const root: Container = { list: false, entries: new Map() };
  return {
    add(parts) {
      for (const part of items(parts).filter(isMembers)) {
        const path = segmentsOf(text(part.jsonPath) ?? '');
        const value = leafOf(part);
        if (path.length > MAX_DEPTH) return false;
        if (value !== undefined) place(root, path, value);
      }
      return true;
    },
    whole: () => ({ ...(isMembers(given) ? given : {}), ...Object.fromEntries(entriesOf(root)) }),
  };
}

interface Segment {
  name: string;
  list: boolean;
}

const segmentsOf = (path: string): Segment[] =>
  [...path.matchAll(/\.([^.[\]]+)|\[(\d+)\]|\['([^']*)'\]|\["([^"]*)"\]/g)].map(([, name, index, single, double]) => ({
    name: name ?? index ?? single ?? double ?? '',
    list: index !== undefined,
  }));

function leafOf({ stringValue, numberValue, boolValue, nullValue }: Members): Leaf | undefined {
  if (typeof stringValue === 'string') return stringValue;
  if (typeof numberValue === 'number' || isExactNumber(numberValue)) return numberValue;
  if (typeof boolValue === 'boolean') return boolValue;
  return nullValue === undefined ? undefined : null;
}

function place(root: Container, path: readonly Segment[], value: Leaf): void {
  let container = root;
  for (const [depth, { name }] of path.entries()) {
    const next = path[depth + 1];
    const there = container.entries.get(name);
    if (next === undefined) {
      // A long string arrives in pieces.
      const longer = typeof there === 'string' && typeof value === 'string';
      container.entries.set(name, longer ? there + value : value);
      return;
    }
    const inner = isContainer(there) ? there : { list: next.list, entries: new Map<string, Value>() };
    container.entries.set(name, inner);
    container = inner;
  }
}

const isContainer = (value: Value | undefined): value is Container =>
  typeof value === 'object' && value !== null && !isExactNumber(value);

const entriesOf = ({ entries }: Container): [string, unknown][] =>
  [...entries].map(([name, value]) => [name, jsonOf(value)]);

function jsonOf(value: Value): unknown {
  if (!isContainer(value)) return value;
  return value.list ? entriesOf(value).map(([, item]) => item) : Object.fromEntries(entriesOf(value));
}
