import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createDirectory, explainUse } from './create-directory.ts';

describe('the data directory', () => {
  let parent: string;
  beforeEach(async () => {
    parent = await mkdtemp(join(tmpdir(), 'tallyport-create-'));
  });
  afterEach(() => rm(parent, { recursive: true }));

  const use = (directory: string) => explainUse(directory, () => createDirectory(directory));
  const refusal = (directory: string, reason: string) => ({
    name: 'DirectoryUnusableError',
    message: `DATA_DIR: ${directory} cannot be used, because ${reason}. Set it to a folder that this user may write.`,
  });

  it('is created with its parents, readable by its owner only, and may exist', async () => {
    const directory = join(parent, 'not/there/yet');
    await use(directory);
    await use(directory);
    const modes = await Promise.all(['not', 'not/there', 'not/there/yet'].map((path) => stat(join(parent, path))));
    expect(modes.map(({ mode }) => (mode & 0o777).toString(8))).toEqual(['700', '700', '700']);
  });

  it('is refused below a file', async () => {
    await writeFile(join(parent, 'file'), '');
    for (const directory of [join(parent, 'file/data'), join(parent, 'file/a/b')]) {
      await expect(use(directory)).rejects.toMatchObject(refusal(directory, 'a part of the path is a file'));
    }
  });

  it.runIf(process.platform === 'linux')('is refused where the system has no such folder', async () => {
    for (const directory of ['/proc/tallyport', '/proc/tallyport/data']) {
      await expect(use(directory)).rejects.toMatchObject(
        refusal(directory, 'the system has no such folder and does not let it be created'),
      );
    }
  });

  it.for([
    ['EACCES', 'this user may not write there'],
    ['EPERM', 'this user may not write there'],
    ['EROFS', 'its file system is read-only'],
    ['ENOSPC', 'the disk is full'],
  ])('with %s names the reason', async ([code, reason]) => {
    const error = Object.assign(new Error(code), { code });
    await expect(explainUse('./data', () => Promise.reject(error))).rejects.toMatchObject({
      ...refusal('./data', reason!),
      cause: error,
    });
  });

  it('keeps errors that are not about the directory', async () => {
    const error = new Error('other');
    await expect(explainUse('./data', () => Promise.reject(error))).rejects.toBe(error);
  });
});
