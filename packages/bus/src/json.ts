/** `undefined` for bytes that are not JSON; the schema that the result is validated with rejects it. */
export function decodeJson(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString());
  } catch {
    return undefined;
  }
}
