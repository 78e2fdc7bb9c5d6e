import { appendFile, mkdir, mkdtemp, readdir, readFile, rename, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { UsageRecord } from '@tallyport/contracts';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createSpill } from './spill.ts';
import { usageRecord } from '../testing/usage-record.ts';

let directory: string;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'tallyport-spill-'));
});
afterEach(() => rm(directory, { recursive: true }));

const open = (maxBytes = 100_000_000) => createSpill({ directory, maxBytes });
const files = async () => (await readdir(directory)).filter((name) => name.endsWith('.ndjson'));
const away = () => Promise.reject(new Error('away'));

/** Sets the modification time of the existing files back by an hour. */
async function anHourPasses(names = /./): Promise<void> {
  const then = new Date(Date.now() - 3_600_000);
  for (const name of await readdir(directory))
    if (names.test(name)) await utimes(join(directory, name), then, then).catch(() => undefined);
}

function collector() {
  const replayed: string[] = [];
  return { replayed, give: async ({ id }: UsageRecord) => void replayed.push(id) };
}

describe('in a folder shared by several processes', () => {
  test('files of a live process are left alone, however old, and those of a dead one are replayed over', async () => {
    const [owner, other, { replayed, give }] = [open(), open(), collector()];
    await owner.add(usageRecord('use_1'));
    await expect(owner.replay(away)).rejects.toThrow('away');
    await anHourPasses(/ndjson$/);
    await other.replay(give);
    expect(replayed).toEqual([]);
    await anHourPasses();
    await other.replay(give);
    expect([replayed, await files()]).toEqual([['use_1'], []]);
  });

  test('a file that another process took over is no longer ours and takes no room', async () => {
    const [owner, other, { replayed, give }] = [open(), open(), collector()];
    await owner.add(usageRecord('use_1'));
    await anHourPasses();
    await other.replay(give);
    await owner.replay(give);
    expect([replayed, owner.bytes(), owner.isEmpty()]).toEqual([['use_1'], 0, true]);
  });

  test('a file passes from one dead process to the next and is counted by its current owner', async () => {
    await open().add(usageRecord('use_1'));
    const [name = ''] = await files();
    for (let generation = 0; generation < 20; generation++) {
      await anHourPasses();
      const heir = open();
      await expect(heir.replay(away)).rejects.toThrow('away');
      expect(heir.bytes()).toBe((await readFile(join(directory, (await files())[0] ?? ''))).length);
    }
    expect((await files()).map(({ length }) => length)).toEqual([name.length + 'of-'.length]);
    await anHourPasses();
    const { replayed, give } = collector();
    await open().replay(give);
    expect([replayed, await readdir(directory)]).toEqual([['use_1'], expect.not.arrayContaining([/ndjson/])]);
  });
});

test('leaves nothing behind once all records were accepted', async () => {
  const [spill, { replayed, give }] = [open(), collector()];
  await spill.add(usageRecord('use_1'));
  await expect(spill.replay(away)).rejects.toThrow('away');
  await spill.replay(give);
  expect([replayed, await readdir(directory)]).toEqual([['use_1'], []]);
});

test('loses nothing that is written during a replay, own or inherited', async () => {
  const [spill, { replayed, give }] = [open(), collector()];
  const ids = Array.from({ length: 500 }, (_, at) => `use_${at}`);
  let isOver = false;
  async function replay(): Promise<void> {
    while (!isOver) await spill.replay(give);
  }
  const replaying = replay();
  const added: Promise<void>[] = [];
  for (const [at, id] of ids.entries()) {
    added.push(spill.add(usageRecord(id)));
    if (at % 50 === 0) await appendFile(join(directory, `dead-${at}.ndjson`), '\n').then(() => anHourPasses(/dead/));
    await nextTurn();
  }
  await Promise.all(added);
  isOver = true;
  await replaying;
  await spill.replay(give);
  expect([replayed.toSorted(), spill.bytes()]).toEqual([ids.toSorted(), 0]);
});

test('a failed write takes no room, and later records are intact', async () => {
  const blocked = join(directory, 'blocked');
  await writeFile(blocked, '');
  const spill = createSpill({ directory: blocked, maxBytes: 100_000 });
  await expect(spill.add(usageRecord('use_1'))).rejects.toThrow(/EEXIST|ENOTDIR/);
  expect([spill.bytes(), spill.isEmpty()]).toEqual([0, true]);
  await rm(blocked);
  await spill.add(usageRecord('use_2'));
  const { replayed, give } = collector();
  await spill.replay(give);
  expect(replayed).toEqual(['use_2']);
});

test('when records written together fail, each caller gets the error', async () => {
  const blocked = join(directory, 'blocked');
  await writeFile(blocked, '');
  const spill = createSpill({ directory: blocked, maxBytes: 100_000 });
  const ids = ['use_1', 'use_2', 'use_3', 'use_4', 'use_5'];
  const written = await Promise.allSettled(ids.map((id) => spill.add(usageRecord(id))));
  expect(written.map(({ status }) => status)).toEqual(ids.map(() => 'rejected'));
});

test('a file that cannot be read is kept', async () => {
  const spill = open();
  await spill.add(usageRecord('use_1'));
  const path = join(directory, (await files())[0] ?? '');
  await rename(path, join(directory, 'elsewhere'));
  await mkdir(path);
  const { replayed, give } = collector();
  await expect(spill.replay(give)).rejects.toThrow('EISDIR');
  await rm(path, { recursive: true });
  await rename(join(directory, 'elsewhere'), path);
  await spill.replay(give);
  expect(replayed).toEqual(['use_1']);
});

test('counts bytes as the disk does', async () => {
  const spill = open();
  await spill.add({ ...usageRecord('use_1'), model: 'größer' });
  expect(spill.bytes()).toBe((await readFile(join(directory, (await files())[0] ?? ''))).length);
});

test('replays records of a newer version unchanged, and skips half a line', async () => {
  const line = { ...usageRecord('use_1'), operation: 'video', frames: 25 };
  await appendFile(join(directory, 'dead-0.ndjson'), `${JSON.stringify(line)}\n{"id":"half a li`);
  await anHourPasses();
  const given: object[] = [];
  await open().replay(async (record) => void given.push(record));
  expect(given).toEqual([line]);
});

test('limits the size of a file', async () => {
  const spill = open();
  const large = { ...usageRecord('use'), requestId: 'x'.repeat(1_000_000) };
  for (let count = 0; count < 6; count++) await spill.add(large);
  expect(await files()).toHaveLength(2);
  const { replayed, give } = collector();
  await spill.replay(give);
  expect(replayed).toHaveLength(6);
});
