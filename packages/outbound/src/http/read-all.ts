import { joinPieces } from '@switchyard/wire';
import type { BodyReader } from './decode.ts';

/** Smaller chunks are joined: kept one by one, a body of tiny chunks would take many times its size. */
const smallBytes = 4 * 1024;
const joinedBytes = 64 * 1024;

/** Reads the whole body as a list of pieces. The reader enforces the size limit. */
export async function readAllPieces(body: BodyReader): Promise<Buffer[]> {
  const pieces: Buffer[] = [];
  let small: Buffer[] = [];
  let bytes = 0;

  function settle(): void {
    if (small.length > 0) pieces.push(joinPieces(small));
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

/** Reads the whole body into one buffer. */
export const readAll = async (body: BodyReader): Promise<Buffer> => joinPieces(await readAllPieces(body));
