/** `undefined` for bytes that are not JSON; the schema that the result is validated with rejects it. */
export const decodeJson = (bytes: Uint8Array): unknown => parseJson(asBuffer(bytes).toString());

/** The same for text. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The same bytes, not a copy of them. */
export const asBuffer = (bytes: Uint8Array): Buffer =>
  bytes instanceof Buffer ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
