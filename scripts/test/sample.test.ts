import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { leftOut, sampleOfCommit } from './sample.ts';

test('sums up what tests left out, by kind', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'left-out-'));
  const file = join(folder, 'left-out');
  const lines = [
    { of: 'pages', left: 2, all: 3 },
    { of: 'models', left: 5, all: 6 },
    { of: 'pages', left: 4, all: 5 },
  ];
  await writeFile(file, lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
  expect(await leftOut(file)).toEqual(['5 of 6 models', '6 of 8 pages']);
  expect(await leftOut(join(folder, 'absent'))).toEqual([]);
  await rm(folder, { recursive: true });
});

test('a commit has one number', async () => {
  const number = await sampleOfCommit();
  expect(number).toBe(await sampleOfCommit());
  expect(number).toBeGreaterThanOrEqual(0);
});
