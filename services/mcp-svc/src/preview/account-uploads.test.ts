import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { imageOfBase64 } from './image-block.ts';
import { createPreviews, type Previews } from './previews.ts';

const image = imageOfBase64(Buffer.from(`\x89PNG${'x'.repeat(96)}`, 'latin1').toString('base64'));
let folder: string;
let previews: Previews;
let failures: unknown[];
let only: boolean;
const open = (maxFiles: number) =>
  createPreviews({
    folder,
    isOnlyAccount: async () => only,
    maxBytes: 200,
    maxFiles,
    onSaveFailed: (cause) => failures.push(cause),
  });
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tallyport-uploads-'));
  failures = [];
  only = false;
  previews = open(4);
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const save = (accountId: string) => previews.save({ accountId, fileName: 'cat.png', image });
const noRoom = (most: string) => ({
  outcome: 'failed',
  reason: `It could not be saved: this account has reached its limit of ${most}.`,
  cause: expect.any(Error),
});

test('saves each account’s images in a separate folder, up to the limit', async () => {
  const outcomes = await Promise.all(['acc_1', 'acc_1', 'acc_1', 'acc_2'].map(save));
  expect(outcomes).toEqual([
    { outcome: 'saved', path: 'acc_1/cat.png' },
    { outcome: 'saved', path: 'acc_1/cat-1.png' },
    noRoom('200 bytes of images (UPLOAD_MAX_BYTES_PER_ACCOUNT)'),
    { outcome: 'saved', path: 'acc_2/cat.png' },
  ]);
  expect(failures).toHaveLength(1);
  expect(readdirSync(folder).toSorted()).toEqual(['acc_1', 'acc_2']);
  rmSync(join(folder, 'acc_1', 'cat.png'));
  expect(await save('acc_1')).toEqual({ outcome: 'saved', path: 'acc_1/cat.png' });
});

test('saves the images of a single account directly in the folder, up to the limit', async () => {
  only = true;
  mkdirSync(join(folder, 'acc_2'));
  const outcomes = await Promise.all(['acc_1', 'acc_1', 'acc_1'].map(save));
  expect(outcomes).toEqual([
    { outcome: 'saved', path: 'cat.png' },
    { outcome: 'saved', path: 'cat-1.png' },
    noRoom('200 bytes of images (UPLOAD_MAX_BYTES_PER_ACCOUNT)'),
  ]);
  expect(readdirSync(folder).toSorted()).toEqual(['acc_2', 'cat-1.png', 'cat.png']);
  only = false;
  expect(await save('acc_1')).toEqual({ outcome: 'saved', path: 'acc_1/cat.png' });
});

test('limits the number of images per account', async () => {
  mkdirSync(join(folder, 'acc_1'));
  for (const name of ['1', '2', '3']) writeFileSync(join(folder, 'acc_1', name), '');
  expect(await save('acc_1')).toEqual({ outcome: 'saved', path: 'acc_1/cat.png' });
  expect(await save('acc_1')).toEqual(noRoom('4 images'));
});

test('an account does not wait for another one’s upload', async () => {
  mkdirSync(join(folder, 'acc_1'));
  previews = open(5_000);
  for (let count = 0; count < 4_000; count++) writeFileSync(join(folder, 'acc_1', String(count)), '');
  const ended: string[] = [];
  const saving = ['acc_1', 'acc_1', 'acc_2'].map((id) => save(id).then(() => ended.push(id)));
  await Promise.all(saving);
  expect(ended).toEqual(['acc_2', 'acc_1', 'acc_1']);
});

test.each(['../acc_1', '..', '.', '', 'a/b', 'ACC', 'a'.repeat(65), 'con\0'])(
  'the folder of account %j stays inside the upload folder',
  async (accountId) => {
    const hash = expect.stringMatching(/^[0-9a-f]{64}$/);
    expect(await save(accountId)).toEqual({ outcome: 'saved', path: expect.stringMatching(/^[0-9a-f]{64}\/cat.png$/) });
    expect(readdirSync(folder)).toEqual([hash]);
  },
);
