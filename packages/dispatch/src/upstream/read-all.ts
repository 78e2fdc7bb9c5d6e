import type { BodyReader } from './decode.ts';

/** The whole body. The reader itself holds the limit. */
export async function readAll(body: BodyReader): Promise<Buffer> {
  const parts: Buffer[] = [];
  for (;;) {
    const chunks = await body.read();
    if (chunks === undefined) break;
    parts.push(...chunks);
  }
  const [only] = parts;
  return parts.length === 1 && only !== undefined ? only : Buffer.concat(parts);
}
