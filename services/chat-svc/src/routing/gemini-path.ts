/** The end of an address of Google's API, with the model and the method; `undefined` for another address. */
export const endOfGeminiPath = (path: string): string | undefined =>
  /^\/v1(?:beta)?\/(?:models\/)?(.+:\w+)$/.exec(path)?.[1];
