import { appendFile, mkdir, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { UsageRecord } from '@switchyard/contracts';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createUsageRecorder, type UsageRecorder } from './recorder.ts';
import { createSpill, type Spill } from '../spill/spill.ts';
import { usageRecord } from '../testing/usage-record.ts';

const lineBytes = JSON.stringify(usageRecord('use_1')).length + 1;

let directory: string;
let journal: { taken: string[]; append(entry: UsageRecord): Promise<void> };
let told: string[];
let stops: UsageRecorder[];

beforeEach(async () => {
  directory = join(await mkdtemp(join(tmpdir(), 'switchyard-spill-')), 'not', 'made', 'yet');
  told = [];
  stops = [];
  journal = {
    taken: [],
    async append({ id }) {
      this.taken.push(id);
    },
  };
});
afterEach(async () => {
  await Promise.all(stops.map((recorder) => recorder.stop(1_000)));
  await rm(join(directory, '..', '..', '..'), { recursive: true });
});

/** A journal that is away takes nothing, or does not even answer. */
const away = () => Promise.reject(new Error('away'));
const silent = () => new Promise<void>(() => {});
const back = async ({ id }: UsageRecord) => void journal.taken.push(id);

const files = () => readdir(directory).catch(() => []);

function open(spill: Spill = createSpill({ directory, maxBytes: 1_000_000 })): UsageRecorder {
  const recorder = createUsageRecorder({
    append: (entry) => journal.append(entry),
    spill,
    waitMs: 20,
    retryMs: 10,
    events: {
      journalAway: () => told.push('away'),
      journalBack: () => told.push('back'),
      usageSpilled: () => told.push('spilled'),
      usageLost: ({ id }) => told.push(`lost ${id}`),
      waiting() {},
    },
  });
  stops.push(recorder);
  return recorder;
}

describe('a record', () => {
  test('goes into the journal, and no file is made', async () => {
    await open().record(usageRecord('use_1'));
    expect([journal.taken, told, await files()]).toEqual([['use_1'], [], []]);
  });

  test.each([
    ['is away', away],
    ['does not answer', silent],
  ])('waits in a file while the journal %s, and goes there when it is back', async (_name, append) => {
    journal.append = append;
    const recorder = open();
    await recorder.record(usageRecord('use_1'));
    await recorder.record(usageRecord('use_2'));
    expect(told).toEqual(['away', 'spilled', 'spilled']);
    expect(await files()).not.toEqual([]);
    journal.append = back;
    await expect.poll(files).toEqual([]);
    await recorder.record(usageRecord('use_3'));
    expect(journal.taken).toEqual(['use_1', 'use_2', 'use_3']);
    expect(told.slice(3)).toEqual(['back']);
  });

  test('that finds no room is told as lost, one that just fits is not', async () => {
    journal.append = away;
    const recorder = open(createSpill({ directory, maxBytes: lineBytes }));
    await recorder.record(usageRecord('use_1'));
    await recorder.record(usageRecord('use_2'));
    expect(told).toEqual(['away', 'spilled', 'lost use_2']);
  });

  test('of a process that died goes into the journal by the next one', async () => {
    journal.append = away;
    const dead = open();
    await dead.record(usageRecord('use_1'));
    await dead.stop(1_000);
    const [file = ''] = await files();
    await appendFile(join(directory, file), '{"id":"half a li');
    journal.append = back;
    open(createSpill({ directory, maxBytes: 1_000_000, abandonedMs: 30 }));
    await expect.poll(files).toEqual([]);
    expect(journal.taken).toEqual(['use_1']);
  });
});

test('a file of somebody who may still write is left alone', async () => {
  await mkdir(directory, { recursive: true });
  await appendFile(join(directory, 'other-0.ndjson'), `${JSON.stringify(usageRecord('use_1'))}\n`);
  await createSpill({ directory, maxBytes: 1_000_000 }).replay(back);
  expect([journal.taken, await files()]).toEqual([[], ['other-0.ndjson']]);
});
