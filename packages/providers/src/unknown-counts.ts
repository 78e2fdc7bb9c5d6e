import { finiteNumber, isMembers, type Members } from './read.ts';

/** What a reader knows of a vendor's usage: members by name, and those of the objects below them. */
export interface KnownMembers {
  readonly [name: string]: true | KnownMembers;
}

const mostNames = 20;
const mostLength = 64;
const mostDepth = 3;

/** Times and amounts of money are no counts. */
const noCount =
  /(?:^|_)(?:time|times|duration|durations|latency|speed|rate|cost|costs|ms|price|ticks)(?:_|$)|Duration|Time|per_second/;

/**
 * The names of counts in a vendor's usage that its reader does not know, so that none is dropped without a trace;
 * `undefined` if there are none. It looks no deeper than known objects, nor than the bound of unknown ones.
 */
export function unknownCounts(raw: Members, known: KnownMembers): string[] | undefined {
  let names: string[] | undefined;
  for (const name in raw) {
    const below = Object.hasOwn(known, name) ? known[name] : undefined;
    if (below === true) continue;
    const value = raw[name];
    if (below !== undefined) {
      const inside = isMembers(value) ? unknownCounts(value, below) : undefined;
      if (inside !== undefined) (names ??= []).push(...inside.map((each) => bounded(`${name}.${each}`)));
    } else if (!noCount.test(name) && counts(value, mostDepth)) (names ??= []).push(bounded(name));
  }
  return names?.slice(0, mostNames);
}

/** Names are a vendor's text, so only those that a name has are kept. */
const bounded = (name: string): string => name.replaceAll(/[^\w.-]/g, '_').slice(0, mostLength);

/** Whether there is a number other than 0 in it. */
function counts(value: unknown, depth: number): boolean {
  const number = finiteNumber(value);
  if (number !== undefined) return number !== 0;
  if (typeof value !== 'object' || value === null || depth === 0) return false;
  return Object.values(value).some((each) => counts(each, depth - 1));
}
