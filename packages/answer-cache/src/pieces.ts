import { randomUUID } from 'node:crypto';
import { crc32 } from 'node:zlib';
import type { Store } from '@switchyard/store';
import type { Pieces } from './entry.ts';

/** Below the store's own limit for a value. What is larger than one is images, which are packed already. */
export const pieceBytes = 512 * 1024;

/** What points to pieces is written after them, and must not outlive them. */
const longerMs = 60_000;

type PieceStore = Pick<Store, 'get' | 'set' | 'delete'>;

/** `undefined` when it is not certain that all of it can be read. */
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

/** The whole body, or `undefined` when something of it is missing or changed. */
export async function readPieces(store: PieceStore, name: string, pieces: Pieces): Promise<Buffer | undefined> {
  const body = Buffer.allocUnsafe(pieces.length);
  for (const index of indexesOf(pieces)) {
    const from = index * pieceBytes;
    const piece = await store.get(pieceName(name, pieces, index));
    if (piece?.length !== Math.min(pieceBytes, pieces.length - from)) return undefined;
    body.set(piece, from);
  }
  return crc32(body) === pieces.checksum ? body : undefined;
}

/** Deletes pieces that no entry points to. What cannot be deleted now expires by itself. */
export function dropPieces(store: PieceStore, name: string, pieces: Pieces): void {
  for (const index of indexesOf(pieces)) void store.delete(pieceName(name, pieces, index));
}

const pieceName = (name: string, { run }: Pieces, index: number): string => `${name}:${run}:${index}`;

const indexesOf = ({ length }: Pieces): number[] =>
  Array.from({ length: Math.ceil(length / pieceBytes) }, (_, index) => index);
