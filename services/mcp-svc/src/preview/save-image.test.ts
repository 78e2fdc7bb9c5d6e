import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { imageOfBase64 } from './image-block.ts';
import { saveImage } from './save-image.ts';

const image = imageOfBase64(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
);
const bytes = Buffer.from(image.data, 'base64');

describe('saving an image', () => {
  let place: string;
  let folder: string;
  beforeEach(() => {
    place = mkdtempSync(join(tmpdir(), 'tallyport-upload-'));
    folder = join(place, 'images');
  });
  afterEach(() => rmSync(place, { recursive: true, force: true }));

  const saved = (fileName: string) => ({ outcome: 'saved', path: fileName });
  const failed = (reason: string) => ({ outcome: 'failed', reason, cause: expect.any(Error) });

  test('writes the complete image, creates the folder, and leaves nothing else there', async () => {
    expect(await saveImage(folder, 'cat.png', image)).toEqual(saved('cat.png'));
    expect(readFileSync(join(folder, 'cat.png'))).toEqual(bytes);
    expect(readdirSync(folder)).toEqual(['cat.png']);
  });

  test('overwrites nothing, even with concurrent saves', async () => {
    mkdirSync(folder);
    writeFileSync(join(folder, 'cat.png'), 'mine');
    const names = await Promise.all(Array.from({ length: 5 }, () => saveImage(folder, 'cat.png', image)));
    const expected = ['cat-1.png', 'cat-2.png', 'cat-3.png', 'cat-4.png', 'cat-5.png'];
    expect(names).toEqual(expect.arrayContaining(expected.map(saved)));
    expect(readdirSync(folder).toSorted()).toEqual([...expected, 'cat.png']);
    expect(readFileSync(join(folder, 'cat.png'), 'utf8')).toBe('mine');
  });

  test('does not follow a symbolic link in the folder', async () => {
    mkdirSync(folder);
    symlinkSync(join(place, 'outside.png'), join(folder, 'cat.png'));
    expect(await saveImage(folder, 'cat.png', image)).toEqual(saved('cat-1.png'));
    expect(readdirSync(place)).toEqual(['images']);
  });

  test('saves in the target of a linked folder', async () => {
    mkdirSync(join(place, 'real'));
    symlinkSync(join(place, 'real'), folder);
    expect(await saveImage(folder, 'cat.png', image)).toEqual(saved('cat.png'));
    expect(readdirSync(join(place, 'real'))).toEqual(['cat.png']);
  });

  test('reports that the folder is a file', async () => {
    writeFileSync(folder, '');
    const reason = "It could not be saved: the server's upload folder is not a folder.";
    expect(await saveImage(folder, 'cat.png', image)).toEqual(failed(reason));
  });

  test.skipIf(process.getuid?.() === 0)('reports a missing write permission', async () => {
    mkdirSync(folder);
    chmodSync(folder, 0o500);
    const reason = 'It could not be saved: the server cannot write to its upload folder.';
    expect(await saveImage(folder, 'cat.png', image)).toEqual(failed(reason));
  });
});
