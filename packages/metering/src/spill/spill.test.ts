import { appendFile, mkdir, mkdtemp, readdir, readFile, rename, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { UsageRecord } from '@switchyard/contracts';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createSpill } from './spill.ts';
import { usageRecord } from '../testing/usage-record.ts';

let directory: string;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'switchyard-spill-'));
});
afterEach(() => rm(directory, { recursive: true }));

const open = (maxBytes = 100_000_000) => createSpill({ directory, maxBytes });
const files = async () => (await readdir(directory)).filter((name) => name.endsWith('.ndjson'));
const away = () => Promise.reject(new Error('away'));

/** As if nothing had been written for an hour to what is there, as long as it is. */
async function anHourPasses(names = /./): Promise<void> {
  const then = new Date(Date.now() - 3_600_000);
  for (const name of await readdir(directory))
    if (names.test(name)) await utimes(join(directory, name), then, then).catch(() => undefined);
}

function taker() {
  const taken: string[] = [];
  return { taken, give: async ({ id }: UsageRecord) => void taken.push(id) };
}

describe('in a folder that several processes share', () => {
  test('nobody takes what waits for long while its owner lives, and somebody does once it is dead', async () => {
    const [owner, other, { taken, give }] = [open(), open(), taker()];
    await owner.add(usageRecord('use_1'));
    await expect(owner.replay(away)).rejects.toThrow('away');
    await anHourPasses(/ndjson$/);
    await other.replay(give);
    expect(taken).toEqual([]);
    await anHourPasses();
    await other.replay(give);
    expect([taken, await files()]).toEqual([['use_1'], []]);
  });

  test('what another one took from us is no longer ours, and takes no room', async () => {
    const [owner, other, { taken, give }] = [open(), open(), taker()];
    await owner.add(usageRecord('use_1'));
    await anHourPasses();
    await other.replay(give);
    await owner.replay(give);
    expect([taken, owner.bytes(), owner.isEmpty()]).toEqual([['use_1'], 0, true]);
  });

  test('it goes from one dead process to the next for as long as it takes, and is counted by who has it', async () => {
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
    const { taken, give } = taker();
    await open().replay(give);
    expect([taken, await readdir(directory)]).toEqual([['use_1'], expect.not.arrayContaining([/ndjson/])]);
  });
});

test('leaves nothing behind once all was taken', async () => {
  const [spill, { taken, give }] = [open(), taker()];
  await spill.add(usageRecord('use_1'));
  await expect(spill.replay(away)).rejects.toThrow('away');
  await spill.replay(give);
  expect([taken, await readdir(directory)]).toEqual([['use_1'], []]);
});

test('loses nothing that is written while something is given, its own or what others left', async () => {
  const [spill, { taken, give }] = [open(), taker()];
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
  expect([taken.toSorted(), spill.bytes()]).toEqual([ids.toSorted(), 0]);
});

test('what could not be written takes no room, and what comes after it is whole', async () => {
  const blocked = join(directory, 'blocked');
  await writeFile(blocked, '');
  const spill = createSpill({ directory: blocked, maxBytes: 100_000 });
  await expect(spill.add(usageRecord('use_1'))).rejects.toThrow(/EEXIST|ENOTDIR/);
  expect([spill.bytes(), spill.isEmpty()]).toEqual([0, true]);
  await rm(blocked);
  await spill.add(usageRecord('use_2'));
  const { taken, give } = taker();
  await spill.replay(give);
  expect(taken).toEqual(['use_2']);
});

test('what cannot be read now is kept', async () => {
  const spill = open();
  await spill.add(usageRecord('use_1'));
  const path = join(directory, (await files())[0] ?? '');
  await rename(path, join(directory, 'elsewhere'));
  await mkdir(path);
  const { taken, give } = taker();
  await expect(spill.replay(give)).rejects.toThrow('EISDIR');
  await rm(path, { recursive: true });
  await rename(join(directory, 'elsewhere'), path);
  await spill.replay(give);
  expect(taken).toEqual(['use_1']);
});

test('counts bytes as the disk does', async () => {
  const spill = open();
  await spill.add({ ...usageRecord('use_1'), model: 'größer' });
  expect(spill.bytes()).toBe((await readFile(join(directory, (await files())[0] ?? ''))).length);
});

test('what a newer version wrote is given as it is, half a line is not', async () => {
  const line = { ...usageRecord('use_1'), operation: 'video', frames: 25 };
  await appendFile(join(directory, 'dead-0.ndjson'), `${JSON.stringify(line)}\n{"id":"half a li`);
  await anHourPasses();
  const given: object[] = [];
  await open().replay(async (record) => void given.push(record));
  expect(given).toEqual([line]);
});

test('no file grows so large that reading it would hurt', async () => {
  const spill = open();
  const large = { ...usageRecord('use'), requestId: 'x'.repeat(1_000_000) };
  for (let count = 0; count < 6; count++) await spill.add(large);
  expect(await files()).toHaveLength(2);
  const { taken, give } = taker();
  await spill.replay(give);
  expect(taken).toHaveLength(6);
});
