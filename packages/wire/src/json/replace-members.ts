import { membersAt } from './member-ranges.ts';

/** A new value for one member, as JSON text. `path` names the objects around it, from the outside. */
export interface JsonChange {
  path: readonly string[];
  value: string;
}

/**
 * Replaces values in a JSON document and keeps every other byte: the order of members, unknown ones, large numbers and
 * escapes. A member that is not there is not added. If a name occurs twice in an object, both values are replaced,
 * because readers differ in which one counts. Expects a document that JSON.parse accepts.
 */
export function replaceMembers(json: Buffer, changes: readonly JsonChange[]): Buffer {
  const places = changes
    .flatMap(({ path, value }) => valuesAt(json, { path, from: 0 }).map((range) => ({ ...range, value })))
    .toSorted((left, right) => left.start - right.start);
  if (places.length === 0) return json;
  const parts: Buffer[] = [];
  let from = 0;
  for (const { start, end, value } of places) {
    parts.push(json.subarray(from, start), Buffer.from(value));
    from = end;
  }
  return Buffer.concat([...parts, json.subarray(from)]);
}

interface ValueRange {
  start: number;
  end: number;
}

function valuesAt(json: Buffer, { path, from }: { path: readonly string[]; from: number }): ValueRange[] {
  const [name, ...rest] = path;
  return membersAt(json, from)
    .filter((member) => member.name === name)
    .flatMap(({ value, end }) =>
      rest.length === 0 ? [{ start: value, end }] : valuesAt(json, { path: rest, from: value }),
    );
}
