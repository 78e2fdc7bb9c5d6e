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
  if (changes.length === 0) return json;
  const places = placesIn(json, 0, changes);
  if (places.length === 0) return json;
  const parts: Buffer[] = [];
  let from = 0;
  for (const { start, end, value } of places) {
    parts.push(json.subarray(from, start), Buffer.from(value));
    from = end;
  }
  return Buffer.concat([...parts, json.subarray(from)]);
}

interface Place {
  start: number;
  end: number;
  value: string;
}

/** The values to replace in the object that starts here, in order. Each object is read once, for all changes. */
function placesIn(json: Buffer, start: number, changes: readonly JsonChange[]): Place[] {
  return membersAt(json, start).flatMap(({ name, value: at, end }) => {
    const own = changes.filter(({ path }) => path[0] === name);
    const [whole] = own.filter(({ path }) => path.length === 1);
    if (whole !== undefined) return [{ start: at, end, value: whole.value }];
    const inside = own.map(({ path, value }) => ({ path: path.slice(1), value }));
    return inside.length === 0 ? [] : placesIn(json, at, inside);
  });
}
