import { mkdtemp, readdir, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { fileStorageSuite } from './file-storage.suite.ts';
import { createFolderStorage } from './folder-storage.ts';

let folder: string;
beforeAll(async () => void (folder = await mkdtemp(join(tmpdir(), 'tallyport-files-'))));
afterAll(() => rm(folder, { recursive: true }));

const files = () => join(folder, 'files');

async function* pieces() {
  yield Buffer.from('content');
}

describe('the folder', () => {
  fileStorageSuite({
    storage: () => createFolderStorage(files()),
    kept: () => readdir(files()).catch(() => []),
  });

  test('is readable by its owner only, and so are its files', async () => {
    await createFolderStorage(files()).write('file-own', pieces());
    const modes = await Promise.all([files(), join(files(), 'file-own')].map(async (path) => (await stat(path)).mode));
    expect(modes.map((mode) => mode & 0o777)).toEqual([0o700, 0o600]);
    await createFolderStorage(files()).remove('file-own');
  });

  test('removes what a killed process has written of a file', async () => {
    await writeFile(join(files(), 'file-killed.part'), 'half');
    await createFolderStorage(files()).remove('file-killed');
    expect(await readdir(files())).toEqual([]);
  });

  test('that cannot be used is a storage that is away', async () => {
    const path = join(folder, 'no-folder');
    await writeFile(path, '');
    await expect(createFolderStorage(path).write('file-a', pieces())).rejects.toMatchObject({
      code: 'unavailable',
      message: 'The storage of files does not answer. Try again in a moment.',
    });
  });

  // Writing to this device of Linux fails as on a full disk.
  test.skipIf(process.platform !== 'linux')('that is full says so, and keeps nothing', async () => {
    await symlink('/dev/full', join(files(), 'file-full.part'));
    await expect(createFolderStorage(files()).write('file-full', pieces())).rejects.toMatchObject({
      code: 'unavailable',
      message: 'The storage of files is full. The operator must make room.',
    });
    expect(await readdir(files())).toEqual([]);
  });
});
