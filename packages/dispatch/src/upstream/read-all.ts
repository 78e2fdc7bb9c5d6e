import type { BodyReader } from './decode.ts';

/** The whole body. The reader itself holds the limit. */
export async function readAll(body: BodyReader): Promise<Buffer> {
  const parts: Buffer[] = [];
  while (await body.ready()) parts.push(...body.take());
  const [only] = parts;
  return parts.length === 1 && only !== undefined ? only : Buffer.concat(parts);
}
