import { createReadStream } from 'node:fs';
import { mkdir, open, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { GatewayError } from '@tallyport/contracts';
import { contentMissing, type FileStorage, storageAway, storageFull } from './file-storage.ts';

/** Keeps objects as files of a folder. An object has its name only once it is complete. */
export function createFolderStorage(directory: string): FileStorage {
  const placeOf = (key: string): string => join(directory, key);
  const partOf = (key: string): string => join(directory, `${key}.part`);
  return {
    async write(key, pieces) {
      try {
        await mkdir(directory, { recursive: true, mode: 0o700 });
        await writePieces(partOf(key), pieces);
        await rename(partOf(key), placeOf(key));
        await syncFolder(directory);
      } catch (error) {
        await rm(partOf(key), { force: true }).catch(() => undefined);
        throw faultOf(error);
      }
    },
    async *read(key, { start, end }) {
      try {
        yield* createReadStream(placeOf(key), { start, end: end - 1 }) as AsyncIterable<Uint8Array>;
      } catch (error) {
        throw faultOf(error);
      }
    },
    async remove(key) {
      try {
        await rm(partOf(key), { force: true });
        await rm(placeOf(key), { force: true });
      } catch (error) {
        throw faultOf(error);
      }
    },
  };
}

async function writePieces(path: string, pieces: AsyncIterable<Uint8Array>): Promise<void> {
  const file = await open(path, 'w', 0o600);
  try {
    for await (const piece of pieces) await file.appendFile(piece);
    await file.sync();
  } finally {
    await file.close();
  }
}

/** Without it, the new name may be lost when the machine loses power. */
async function syncFolder(directory: string): Promise<void> {
  const folder = await open(directory);
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}

function faultOf(error: unknown): GatewayError {
  if (error instanceof GatewayError) return error;
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  if (code === 'ENOSPC' || code === 'EDQUOT') return storageFull(error);
  return code === 'ENOENT' ? contentMissing(error) : storageAway(error);
}
