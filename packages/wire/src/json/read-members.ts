import { afterSpace, eachElement, eachMember, endOfValue, membersAt } from './member-ranges.ts';
import { mostLevels } from './structure.ts';

/** The bytes of a member's value, the last one if there are several; `undefined` if there is none. */
export function memberValue(json: Buffer, name: string): Buffer | undefined {
  const range = membersAt(json, 0).findLast((member) => member.name === name);
  return range && json.subarray(range.value, range.end);
}

/** Whether an object has two members of one name, of which readers may see either. */
export function repeatsMember(json: Buffer): boolean {
  const names = membersAt(json, 0).map(({ name }) => name);
  return new Set(names).size < names.length;
}

/**
 * The same for a value and every object within it. Objects deeper than `structureProblem` allows are not read: they are
 * in a value that it refuses, or in one of a member that is repeated.
 */
export function repeatsMemberWithin(json: Buffer): boolean {
  let repeats = false;
  function endOf(at: number, levels: number): number {
    if (levels === 0) return endOfValue(json, at);
    if (json[at] === openBracket) return eachElement(json, at, (_index, element) => endOf(element, levels - 1));
    if (json[at] !== openBrace) return endOfValue(json, at);
    const names = new Set<unknown>();
    return eachMember(json, at, ({ name, value }) => {
      repeats ||= names.has(name);
      names.add(name);
      return endOf(value, levels - 1);
    });
  }
  endOf(afterSpace(json, 0), mostLevels);
  return repeats;
}

const openBracket = 0x5b;
const openBrace = 0x7b;

/** The bytes of each element of a list. */
export function listElements(json: Buffer): Buffer[] {
  const elements: Buffer[] = [];
  eachElement(json, 0, (_index, value) => {
    const end = endOfValue(json, value);
    elements.push(json.subarray(value, end));
    return end;
  });
  return elements;
}

interface MembersWanted {
  names: ReadonlySet<string>;
  /** Of the whole object. */
  mostMembers: number;
}

/** The bytes of the values of some members, read in one pass; `undefined` if the object has too many members. */
export function memberValues(
  json: Buffer,
  { names, mostMembers }: MembersWanted,
): ReadonlyMap<string, Buffer> | undefined {
  const found = new Map<string, Buffer>();
  let count = 0;
  eachMember(json, 0, ({ name, value }) => {
    count += 1;
    // Nothing is left to read.
    if (count > mostMembers) return json.length;
    const end = endOfValue(json, value);
    if (typeof name === 'string' && names.has(name)) found.set(name, json.subarray(value, end));
    return end;
  });
  return count > mostMembers ? undefined : found;
}
