/** Joins streamed pieces of `reasoning_details` into whole ones. Pieces with the same index and type belong to one detail. */
interface DetailFold {
  add(piece: unknown): void;
  whole(): unknown[];
}

/** Members that arrive in pieces; any other member takes its latest value. */
const growing: ReadonlySet<string> = new Set(['text', 'summary', 'data']);

export function createDetailFold(): DetailFold {
  const details: unknown[] = [];
  const places = new Map<string, number>();

  return {
    add(piece) {
      if (!isMembers(piece) || !Number.isFinite(piece.index)) {
        details.push(piece);
        return;
      }
      const key = `${String(piece.type)} ${String(piece.index)}`;
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

type Members = Readonly<Record<string, unknown>>;

const isMembers = (value: unknown): value is Members =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
