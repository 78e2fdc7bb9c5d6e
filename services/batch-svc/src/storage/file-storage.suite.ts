import { GatewayError } from '@tallyport/contracts';
import { expect, test } from 'vitest';
import type { ContentRange, FileStorage } from './file-storage.ts';

interface StoragePlace {
  storage(): FileStorage;
  /** The names of what is kept, unfinished uploads included. */
  kept(): Promise<string[]>;
}

const megabyte = 1024 ** 2;
const bytesOf = (length: number): Buffer => Buffer.alloc(length, 'abcdefghijklmnopqrstuvwxyz0123456789');

async function* inPieces(bytes: Buffer, size = 70_000): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

/** What every storage of files promises. */
export function fileStorageSuite({ storage, kept }: StoragePlace): void {
  async function read(key: string, range: ContentRange): Promise<Buffer> {
    const pieces: Uint8Array[] = [];
    for await (const piece of storage().read(key, range)) pieces.push(piece);
    return Buffer.concat(pieces);
  }

  // One part of an upload, several, and a last one of a single byte.
  test.each([1, 100_000, 5 * megabyte, 5 * megabyte + 1, 11 * megabyte])('keeps %i bytes', async (length) => {
    const bytes = bytesOf(length);
    await storage().write('file-kept', inPieces(bytes));
    expect((await read('file-kept', { start: 0, end: length })).equals(bytes)).toBe(true);
    await storage().remove('file-kept');
    expect(await kept()).toEqual([]);
  });

  test('reads a range', async () => {
    const bytes = bytesOf(200_000);
    await storage().write('file-range', inPieces(bytes));
    for (const [start, end] of [
      [0, 1],
      [5, 70_123],
      [199_999, 200_000],
    ] as const) {
      expect((await read('file-range', { start, end })).equals(bytes.subarray(start, end))).toBe(true);
    }
    await storage().remove('file-range');
  });

  test.each([50_000, 7 * megabyte])('keeps nothing of a write that fails after %i bytes', async (length) => {
    const fault = new GatewayError('client_closed_request', 'The client closed the connection.');
    async function* broken() {
      yield* inPieces(bytesOf(length));
      throw fault;
    }
    await expect(storage().write('file-broken', broken())).rejects.toBe(fault);
    expect(await kept()).toEqual([]);
  });

  test('reads no further piece before it can take one', async () => {
    let taken = 0;
    async function* counted() {
      for await (const piece of inPieces(bytesOf(2 * megabyte), megabyte)) {
        taken += 1;
        yield piece;
      }
    }
    const written = storage().write('file-slow', counted());
    expect(taken).toBeLessThan(2);
    await written;
    expect(taken).toBe(2);
    await storage().remove('file-slow');
  });

  test('has no content of another name, and removes what does not exist', async () => {
    await expect(read('file-unknown', { start: 0, end: 1 })).rejects.toMatchObject({
      code: 'internal_error',
      message: expect.stringContaining('is missing in the storage'),
    });
    await storage().remove('file-unknown');
  });
}
