import type { BodyReader } from './decode.ts';
import type { UpstreamHeaders } from './call.ts';

/** Up to this size chunks are few, and joining them costs less than a buffer of their own. */
const joinBytes = 64 * 1024;

/** The whole body. The reader itself holds the limit; `length`, where it is known, saves holding a large body twice. */
export async function readAll(body: BodyReader, length = 0): Promise<Buffer> {
  if (length > joinBytes) return gather(body, Buffer.allocUnsafeSlow(length));
  const parts: Buffer[] = [];
  while (await body.ready()) parts.push(...body.take());
  const [only] = parts;
  return parts.length === 1 && only !== undefined ? only : Buffer.concat(parts);
}

/** What the provider said, unless the body is decoded or would be refused: a header alone makes nobody allocate more. */
export function declaredLength(headers: UpstreamHeaders, maxBytes: number): number | undefined {
  const length = Number(headers['content-length']);
  const encoded = headers['content-encoding'] !== undefined;
  return encoded || !Number.isSafeInteger(length) || length < 0 || length > maxBytes ? undefined : length;
}

/** HTTP itself holds the length: a shorter body is cut, and nobody sees a longer one. */
async function gather(body: BodyReader, whole: Buffer): Promise<Buffer> {
  let at = 0;
  while (await body.ready()) for (const chunk of body.take()) at += chunk.copy(whole, at);
  return whole.subarray(0, at);
}
