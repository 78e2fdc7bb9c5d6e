import { eachElement, endOfValue, membersAt } from './member-ranges.ts';

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
  eachElement(json, 0, (_index, value) => {
    const end = endOfValue(json, value);
    elements.push(json.subarray(value, end));
    return end;
  });
  return elements;
}
