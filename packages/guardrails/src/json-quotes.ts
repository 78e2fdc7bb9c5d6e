/** Follows whether JSON text is within a string. */
export interface JsonQuotes {
  read(text: string): void;
  isOpen(): boolean;
}

export function createJsonQuotes(): JsonQuotes {
  let isOpen = false;
  let isEscaped = false;
  return {
    read(text) {
      for (const character of text) {
        if (isEscaped) isEscaped = false;
        else if (character === '\\') isEscaped = isOpen;
        else if (character === '"') isOpen = !isOpen;
      }
    },
    isOpen: () => isOpen,
  };
}
