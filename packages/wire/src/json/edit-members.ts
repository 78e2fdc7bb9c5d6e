import { afterSpace, membersAt } from './member-ranges.ts';

export interface MemberEdit {
  removed: ReadonlySet<string>;
  /** By name, as JSON text. They come first. */
  added: Readonly<Record<string, string>>;
}

/**
 * Removes and adds members of the object that a JSON document is, and keeps every byte of the others. Expects a document
 * that JSON.parse accepts; one that is no object is returned unchanged.
 */
export function editMembers(json: Buffer, { removed, added }: MemberEdit): Buffer {
  const start = afterSpace(json, 0);
  const isSame = removed.size === 0 && Object.keys(added).length === 0;
  if (isSame || json[start] !== openBrace) return json;
  const all = membersAt(json, start);
  const close = afterSpace(json, all.at(-1)?.end ?? start + 1);
  const kept = all
    .filter(({ name }) => typeof name !== 'string' || !removed.has(name))
    .map(({ from, end }) => json.subarray(from, afterSpace(json, end)));
  const fresh = Object.entries(added).map(([name, value]) => Buffer.from(`${JSON.stringify(name)}:${value}`));
  const members = [...fresh, ...kept].flatMap((member, index) => (index === 0 ? [member] : [comma, member]));
  return Buffer.concat([json.subarray(0, start + 1), ...members, json.subarray(close)]);
}

const openBrace = 0x7b;
const comma = Buffer.from(',');
