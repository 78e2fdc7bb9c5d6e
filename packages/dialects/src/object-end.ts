/** Watches a JSON object that arrives in pieces. */
export interface ObjectEnd {
  add(piece: string): void;
  /** The object is complete: nothing that follows can belong to it. */
  reached(): boolean;
}

export function createObjectEnd(): ObjectEnd {
  let depth = 0;
  let inString = false;
  let escaped = false;
  let reached = false;

  function addToString(character: string): void {
    if (escaped) escaped = false;
    else if (character === '\\') escaped = true;
    else if (character === '"') inString = false;
  }

  function addOutside(character: string): void {
    if (character === '"') inString = true;
    else if (character === '{' || character === '[') depth += 1;
    else if (character === '}' || character === ']') {
      depth -= 1;
      reached ||= depth <= 0;
    }
  }

  return {
    add(piece) {
      for (const character of piece) {
        if (inString) addToString(character);
        else addOutside(character);
      }
    },
    reached: () => reached,
  };
}
