import { randomUUID } from 'node:crypto';
import { crc32 } from 'node:zlib';
import type { Store } from './store.ts';

/** A value above the size limit of the store, as several values. */
export interface Pieces {
  run: string;
  length: number;
  checksum: number;
}

/** Below the store's size limit of a value. */
export const pieceBytes = 512 * 1024;

/** The value that names the pieces is written after them, so they must live a little longer. */
const longerMs = 60_000;

type PieceStore = Pick<Store, 'get' | 'set' | 'delete'>;

/** Writes the pieces of a body. Resolves with `undefined` unless all of them are certainly stored. */
export async function writePieces(
  store: PieceStore,
  { name, body, ttlMs }: { name: string; body: Buffer; ttlMs: number },
): Promise<Pieces | undefined> {
  const pieces: Pieces = { run: randomUUID(), length: body.length, checksum: crc32(body) };
  for (const index of indexesOf(pieces)) {
    const from = index * pieceBytes;
    const piece = body.subarray(from, from + pieceBytes);
    if ((await store.set(pieceName(name, pieces, index), piece, ttlMs + longerMs)) === 'stored') continue;
    dropPieces(store, name, pieces);
    return undefined;
  }
  return pieces;
}

/** Reads the whole body; `undefined` if a piece is missing or was modified. */
export async function readPieces(
  store: Pick<PieceStore, 'get'>,
  name: string,
  pieces: Pieces,
): Promise<Buffer | undefined> {
  const body = Buffer.allocUnsafe(pieces.length);
  for (const index of indexesOf(pieces)) {
    const from = index * pieceBytes;
    const piece = await store.get(pieceName(name, pieces, index));
    if (piece?.length !== Math.min(pieceBytes, pieces.length - from)) return undefined;
    body.set(piece, from);
  }
  return crc32(body) === pieces.checksum ? body : undefined;
}

/** Deletes pieces that no value names. Any that cannot be deleted now will expire. */
export function dropPieces(store: PieceStore, name: string, pieces: Pieces): void {
  for (const index of indexesOf(pieces)) void store.delete(pieceName(name, pieces, index));
}

const pieceName = (name: string, { run }: Pieces, index: number): string => `${name}:${run}:${index}`;

const indexesOf = ({ length }: Pieces): number[] =>
  Array.from({ length: Math.ceil(length / pieceBytes) }, (_, index) => index);
