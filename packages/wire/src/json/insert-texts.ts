import { afterSpace, eachElement, eachMember, endOfValue } from './member-ranges.ts';

/** What is added to a JSON document at one value: JSON text around it, or a first member of the object that it is. */
export type JsonInsertion = { path: JsonPath } & ({ around: readonly [string, string] } | { member: string });

/** Names of members and places in lists, from the outside. */
export type JsonPath = readonly (string | number)[];

/**
 * Adds text to a JSON document and keeps every byte of it, in one pass. Expects a document that JSON.parse accepts, with a
 * value at each path; of members with the same name, the last one counts.
 */
export function insertTexts(json: Buffer, insertions: readonly JsonInsertion[]): Buffer {
  if (insertions.length === 0) return json;
  const { spots } = visit(json, afterSpace(json, 0), { depth: 0, insertions });
  if (spots.length === 0) return json;
  const pieces: Buffer[] = [];
  let from = 0;
  for (const { at, text } of spots) {
    pieces.push(json.subarray(from, at), Buffer.from(text));
    from = at;
  }
  return Buffer.concat([...pieces, json.subarray(from)]);
}

interface Wanted {
  /** How much of the paths leads here. */
  depth: number;
  insertions: readonly JsonInsertion[];
}

interface Visit {
  end: number;
  /** Where text is added, in the order of the document. */
  spots: readonly Spot[];
}

interface Spot {
  at: number;
  text: string;
}

function visit(json: Buffer, start: number, { depth, insertions }: Wanted): Visit {
  const [here] = insertions.filter(({ path }) => path.length === depth);
  if (here !== undefined) return added(json, start, here);
  const byStep: ReadonlyMap<unknown, readonly JsonInsertion[]> = Map.groupBy(insertions, ({ path }) => path[depth]);
  const spots = new Map<unknown, readonly Spot[]>();
  const endOf = (step: unknown, value: number): number => {
    const inside = byStep.get(step);
    if (inside === undefined) return endOfValue(json, value);
    const visited = visit(json, value, { depth: depth + 1, insertions: inside });
    spots.delete(step);
    spots.set(step, visited.spots);
    return visited.end;
  };
  const end =
    json[start] === openBracket
      ? eachElement(json, start, endOf)
      : json[start] === openBrace
        ? eachMember(json, start, ({ name, value }) => endOf(name, value))
        : endOfValue(json, start);
  return { end, spots: [...spots.values()].flat() };
}

function added(json: Buffer, start: number, insertion: JsonInsertion): Visit {
  const end = endOfValue(json, start);
  if ('member' in insertion) return { end, spots: [{ at: start + 1, text: `${insertion.member},` }] };
  const [before, after] = insertion.around;
  return {
    end,
    spots: [
      { at: start, text: before },
      { at: end, text: after },
    ],
  };
}

const openBrace = 0x7b;
const openBracket = 0x5b;
