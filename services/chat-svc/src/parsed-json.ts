/** `undefined` for what is no JSON. */
export function parsedJson(bytes: Buffer, parse: (text: string) => unknown = JSON.parse): unknown {
  try {
    return parse(bytes.toString());
  } catch {
    return undefined;
  }
}
