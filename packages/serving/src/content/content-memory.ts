/** The memory of prompts and answers that are gathered or wait to be stored. */
export interface ContentMemory {
  /** Returns `false`, and takes nothing, if there is no room. */
  take(bytes: number): boolean;
  release(bytes: number): void;
}

export function createContentMemory(limit: number): ContentMemory {
  let held = 0;
  return {
    take(bytes) {
      if (held + bytes > limit) return false;
      held += bytes;
      return true;
    },
    release: (bytes) => void (held -= bytes),
  };
}
