import type { BodyReader } from './decode.ts';

/** Smaller chunks are joined: held one by one, a body that drips in would weigh many times its bytes. */
const smallBytes = 4 * 1024;
const joinedBytes = 64 * 1024;

/** The whole body, in the pieces in which it came. The reader itself holds the limit. */
export async function readAllPieces(body: BodyReader): Promise<Buffer[]> {
  const pieces: Buffer[] = [];
  let small: Buffer[] = [];
  let bytes = 0;

  function settle(): void {
    if (small.length > 0) pieces.push(joined(small));
    small = [];
    bytes = 0;
  }

  function keep(chunk: Buffer): void {
    if (chunk.length >= smallBytes) {
      settle();
      pieces.push(chunk);
      return;
    }
    small.push(chunk);
    bytes += chunk.length;
    if (bytes >= joinedBytes) settle();
  }

  while (await body.ready()) for (const chunk of body.take()) keep(chunk);
  settle();
  return pieces;
}

/** The whole body in one. */
export const readAll = async (body: BodyReader): Promise<Buffer> => joined(await readAllPieces(body));

function joined(chunks: readonly Buffer[]): Buffer {
  const [only] = chunks;
  return chunks.length === 1 && only !== undefined ? only : Buffer.concat(chunks);
}
