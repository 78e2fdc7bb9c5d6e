/** The names of the members from the outermost inwards. */
export type Path = readonly (string | number)[];

/** Something of the source that the written files do not have. */
export interface LeftOver {
  path: Path;
  reason: string;
  /** What to do instead; empty if there is nothing to do. */
  instead: string;
}

/** Gathers what could not be carried over. Its texts never contain values, because any of them may be a secret. */
export interface LeftOvers {
  add(path: Path, reason: string, instead: string): void;
  readonly all: readonly LeftOver[];
}

export function gatherLeftOvers(): LeftOvers {
  const all: LeftOver[] = [];
  return { all, add: (path, reason, instead) => void all.push({ path, reason, instead }) };
}
