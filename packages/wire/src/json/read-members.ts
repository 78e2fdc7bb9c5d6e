import { afterSpace, endOfValue, membersAt } from './member-ranges.ts';

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

/** The bytes of each element of a list. */
export function listElements(json: Buffer): Buffer[] {
  const elements: Buffer[] = [];
  let at = afterSpace(json, 0);
  if (json[at] !== openBracket) return elements;
  at = afterSpace(json, at + 1);
  while (at < json.length && json[at] !== closeBracket) {
    const end = endOfValue(json, at);
    elements.push(json.subarray(at, end));
    at = afterSpace(json, end);
    if (json[at] === comma) at = afterSpace(json, at + 1);
  }
  return elements;
}

const comma = 0x2c;
const openBracket = 0x5b;
const closeBracket = 0x5d;
