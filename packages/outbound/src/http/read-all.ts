import { joinPieces } from '@tallyport/wire';
import type { BodyReader } from './decode.ts';

/** Smaller chunks are joined: kept one by one, a body of tiny chunks would take many times its size. */
const smallBytes = 4 * 1024;
const joinedBytes = 64 * 1024;

/** Counts further bytes that are held. Returns a promise if there is no room for them: reading goes on once it resolves. */
export type HoldAnswer = (bytes: number) => Promise<void> | undefined;

/** An answer is counted in portions of at least this size: to count fewer bytes would cost more than it is worth. */
export const leastCountedBytes = 64 * 1024;

/** Reads the whole body as a list of pieces. The reader enforces the size limit. */
export async function readAllPieces(body: BodyReader, hold?: HoldAnswer): Promise<Buffer[]> {
  const kept: KeptBody = { pieces: [], small: [], smallBytes: 0 };
  let portion = 0;
  while (await body.ready()) {
    for (const chunk of body.take()) {
      keep(kept, chunk);
      portion += chunk.length;
    }
    if (hold === undefined || portion < leastCountedBytes) continue;
    const room = hold(portion);
    portion = 0;
    if (room !== undefined) await room;
  }
  joinSmall(kept);
  return kept.pieces;
}

interface KeptBody {
  readonly pieces: Buffer[];
  /** The small chunks after the last piece. */
  small: Buffer[];
  smallBytes: number;
}

function keep(kept: KeptBody, chunk: Buffer): void {
  if (chunk.length >= smallBytes) {
    joinSmall(kept);
    kept.pieces.push(chunk);
    return;
  }
  kept.small.push(chunk);
  kept.smallBytes += chunk.length;
  if (kept.smallBytes >= joinedBytes) joinSmall(kept);
}

function joinSmall(kept: KeptBody): void {
  if (kept.small.length === 0) return;
  kept.pieces.push(joinPieces(kept.small));
  kept.small = [];
  kept.smallBytes = 0;
}

/** Reads the whole body into one buffer. */
export const readAll = async (body: BodyReader): Promise<Buffer> => joinPieces(await readAllPieces(body));
