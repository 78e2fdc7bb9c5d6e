import { mkdir, mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createMemoryFolder } from './memory-folder.ts';

let place: string;
beforeEach(async () => {
  place = await mkdtemp(join(tmpdir(), 'memory-'));
});
afterEach(() => rm(place, { recursive: true }));

test('creates a folder that other users may read', async () => {
  const folder = (await createMemoryFolder(place, 1)) ?? '';
  expect((await stat(folder)).mode & 0o777).toBe(0o755);
});

test('creates none without room, and none where the system has no such place', async () => {
  expect(await createMemoryFolder(place, 2 ** 60)).toBeUndefined();
  expect(await createMemoryFolder(join(place, 'absent'), 1)).toBeUndefined();
  expect(await readdir(place)).toEqual([]);
});

test('removes what killed runs left, and nothing else', async () => {
  const running = `tallyport-${process.ppid}-abc`;
  // Above the largest number of a process.
  for (const name of ['tallyport-99999999-abc', running, 'other']) await mkdir(join(place, name));
  const folder = (await createMemoryFolder(place, 1)) ?? '';
  expect((await readdir(place)).toSorted()).toEqual(['other', running, basename(folder)].toSorted());
});
