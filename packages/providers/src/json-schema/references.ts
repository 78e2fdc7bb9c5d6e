import { isMembers, type Members } from '../read.ts';

/** Whether a reference names a definition of the same schema that is not circular. */
export type KnownReference = (reference: unknown) => boolean;

export function localReferences({ $defs, definitions }: Members): KnownReference {
  const targets = new Map<string, ReadonlySet<string>>([
    ...targetsIn('#/$defs/', $defs),
    ...targetsIn('#/definitions/', definitions),
  ]);
  const circular = circularIn(targets);
  return (reference) => typeof reference === 'string' && targets.has(reference) && !circular.has(reference);
}

/** For each definition, by its address: the addresses it refers to. */
function targetsIn(base: string, definitions: unknown): [string, ReadonlySet<string>][] {
  if (!isMembers(definitions)) return [];
  return Object.entries(definitions).map(([name, definition]) => [
    base + name.replaceAll('~', '~0').replaceAll('/', '~1'),
    referencesIn(definition),
  ]);
}

function referencesIn(value: unknown): Set<string> {
  const found = new Set<string>();
  const open: unknown[] = [value];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (typeof next !== 'object' || next === null) continue;
    if (isMembers(next) && typeof next.$ref === 'string') found.add(next.$ref);
    open.push(...Object.values(next).filter((inner) => inner !== undefined));
  }
  return found;
}

/** The circular addresses: those left after repeatedly removing definitions that refer to none of the rest. */
function circularIn(targets: ReadonlyMap<string, ReadonlySet<string>>): Set<string> {
  const left = new Set(targets.keys());
  let size: number;
  do {
    size = left.size;
    for (const address of left) {
      if (![...(targets.get(address) ?? [])].some((target) => left.has(target))) left.delete(address);
    }
  } while (left.size < size);
  return left;
}
