/** `stop_sequences` as `stopSequences`. */
export const camelName = (name: string): string =>
  name.includes('_') ? name.replaceAll(/_([a-z0-9])/g, (_match, letter: string) => letter.toUpperCase()) : name;
