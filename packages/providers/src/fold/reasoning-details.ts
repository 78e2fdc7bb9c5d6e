import { isMembers, type Members, finiteNumber } from '../read.ts';

/** The thinking as vendors want it back: it streams in pieces, and those with one index and type belong together. */
export interface DetailFold {
  add(piece: unknown): void;
  whole(): unknown[];
}

/** Members that stream; of all others the last word counts. */
const growing: ReadonlySet<string> = new Set(['text', 'summary', 'data']);

export function createDetailFold(): DetailFold {
  const details: unknown[] = [];
  const places = new Map<string, number>();

  return {
    add(piece) {
      const index = isMembers(piece) ? finiteNumber(piece.index) : undefined;
      if (!isMembers(piece) || index === undefined) {
        details.push(piece);
        return;
      }
      const key = `${String(piece.type)} ${index}`;
      const place = places.get(key) ?? details.length;
      places.set(key, place);
      details[place] = joined(details[place], piece);
    },
    whole: () => details,
  };
}

function joined(kept: unknown, piece: Members): Members {
  const whole: Record<string, unknown> = isMembers(kept) ? { ...kept } : {};
  for (const [name, value] of Object.entries(piece)) {
    const before = whole[name];
    if (value === null || value === undefined) continue;
    whole[name] = growing.has(name) && typeof before === 'string' && typeof value === 'string' ? before + value : value;
  }
  return whole;
}
