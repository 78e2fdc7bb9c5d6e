import { appendFile, mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { UsageRecord } from '@tallyport/contracts';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createUsageRecorder, type UsageRecorder } from './recorder.ts';
import { createSpill, type Spill } from '../spill/spill.ts';
import type { FindMissing } from './stored-records.ts';
import { usageRecord } from '../testing/usage-record.ts';

const lineBytes = JSON.stringify(usageRecord('use_1')).length + 1;

let directory: string;
let journal: { taken: string[]; append(entry: UsageRecord, onSent?: () => void): Promise<void> };
let reported: string[];
let heldBytes: number;
let stops: UsageRecorder[];

beforeEach(async () => {
  directory = join(await mkdtemp(join(tmpdir(), 'tallyport-spill-')), 'not', 'made', 'yet');
  reported = [];
  heldBytes = 0;
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

/** A journal that refuses every record, or does not answer. */
const away = () => Promise.reject(new Error('away'));
const silent = () => new Promise<void>(() => {});
const back = async ({ id }: UsageRecord) => void journal.taken.push(id);

const roomySpill = () => createSpill({ directory, maxBytes: 1_000_000 });
const files = () => readdir(directory).catch(() => []);

interface Opened {
  findMissing?: FindMissing;
  storedWaitsMs?: readonly number[];
  spill?: Spill;
  maxHeldBytes?: number;
  waitMs?: number;
}

function open({ spill = roomySpill(), maxHeldBytes = 0, waitMs = 20, ...compared }: Opened = {}): UsageRecorder {
  const recorder = createUsageRecorder({
    ...compared,
    append: (entry, onSent) => journal.append(entry, onSent),
    spill,
    waitMs,
    retryMs: 10,
    maxHeldBytes,
    events: {
      journalAway: () => reported.push('away'),
      journalBack: () => reported.push('back'),
      usageSpilled: () => reported.push('spilled'),
      usageSentAgain: () => reported.push('again'),
      notCompared: (error) => reported.push(`not compared: ${String(error)}`),
      usageLost: ({ id }) => reported.push(`lost ${id}`),
      usageHeld: (error) => reported.push(`held: ${String(error).split(':')[1]?.trim()}`),
      heldBytes: (bytes) => (heldBytes = bytes),
      waiting() {},
    },
  });
  stops.push(recorder);
  return recorder;
}

describe('a record', () => {
  test('is appended to the journal without creating a file', async () => {
    await open().record(usageRecord('use_1'));
    expect([journal.taken, reported, await files()]).toEqual([['use_1'], [], []]);
  });

  test('that cannot even be sent waits in a file', async () => {
    journal.append = () => {
      throw new Error('cannot be written as JSON');
    };
    const recorder = open();
    await recorder.record(usageRecord('use_1'));
    expect(reported).toEqual(['away', 'spilled']);
    journal.append = back;
    await expect.poll(() => journal.taken).toEqual(['use_1']);
  });

  test.each([
    ['is away', away],
    ['does not answer', silent],
  ])('waits in a file while the journal %s, and is appended when it is available again', async (_name, append) => {
    journal.append = append;
    const recorder = open();
    await recorder.record(usageRecord('use_1'));
    await recorder.record(usageRecord('use_2'));
    expect(reported).toEqual(['away', 'spilled', 'spilled']);
    expect(await files()).not.toEqual([]);
    journal.append = back;
    await expect.poll(files).toEqual([]);
    await recorder.record(usageRecord('use_3'));
    expect(journal.taken).toEqual(['use_1', 'use_2', 'use_3']);
    expect(reported.slice(3)).toEqual(['back']);
  });

  test('is reported as lost if it does not fit, and kept if it just fits', async () => {
    journal.append = away;
    const recorder = open({ spill: createSpill({ directory, maxBytes: lineBytes }) });
    await recorder.record(usageRecord('use_1'));
    await recorder.record(usageRecord('use_2'));
    expect(reported).toEqual(['away', 'spilled', 'lost use_2']);
  });

  test('that was sent ends the wait, and goes to a file if it is not stored', async () => {
    const stored = Promise.withResolvers<void>();
    journal.append = (_record, onSent) => {
      onSent?.();
      return stored.promise;
    };
    const recorder = open({ waitMs: 60_000 });
    await recorder.record(usageRecord('use_1'));
    expect([reported, await files()]).toEqual([[], []]);
    stored.reject(new Error('away'));
    await expect.poll(() => reported).toEqual(['away', 'spilled']);
    expect(await files()).not.toEqual([]);
  });

  test('is waited for until it is stored, once 64 others are not', async () => {
    const stored = Promise.withResolvers<void>();
    journal.append = (_record, onSent) => {
      onSent?.();
      return stored.promise;
    };
    const recorder = open();
    const recorded: number[] = [];
    const record = (at: number) => recorder.record(usageRecord(`use_${at}`)).then(() => recorded.push(at));
    const all = Array.from({ length: 65 }, (_, at) => record(at));
    await Promise.all(all.slice(0, 64));
    expect(recorded).toHaveLength(64);
    stored.resolve();
    await Promise.all(all);
    expect(reported).toEqual([]);
  });

  test('of a dead process is appended by the next process', async () => {
    journal.append = away;
    const dead = open();
    await dead.record(usageRecord('use_1'));
    await dead.stop(1_000);
    const [file = ''] = await files();
    await appendFile(join(directory, file), '{"id":"half a li');
    journal.append = back;
    open({ spill: createSpill({ directory, maxBytes: 1_000_000, abandonedMs: 30 }) });
    await expect.poll(files).toEqual([]);
    expect(journal.taken).toEqual(['use_1']);
  });
});

describe('a record that the journal has stored', () => {
  const storedWaitsMs = [10, 10, 10];
  let written: Set<string>;
  const findMissing: FindMissing = async (records) =>
    new Set(records.flatMap(({ id }) => (written.has(id) ? [] : [id])));
  beforeEach(() => {
    written = new Set();
  });
  const write = async ({ id }: UsageRecord) => void written.add(id);
  const lose = async () => {};
  /** The journal does one after the other, and the last one from then on. */
  function inTurn(...acts: ((record: UsageRecord) => Promise<void>)[]): void {
    journal.append = async (record) => {
      journal.taken.push(record.id);
      await (acts.length > 1 ? acts.shift() : acts[0])?.(record);
    };
  }

  test('and lost is sent again, until the ledger has it', async () => {
    inTurn(lose, write);
    const recorder = open({ findMissing, storedWaitsMs });
    await recorder.record(usageRecord('use_1'));
    await expect.poll(() => [...written]).toEqual(['use_1']);
    await recorder.record(usageRecord('use_2'));
    await expect.poll(() => [...written]).toEqual(['use_1', 'use_2']);
    expect([journal.taken, reported]).toEqual([['use_1', 'use_1', 'use_2'], ['again']]);
  });

  test('after it waited in a file, and lost, is sent again', async () => {
    inTurn(away, lose, write);
    const recorder = open({ findMissing, storedWaitsMs });
    await recorder.record(usageRecord('use_1'));
    await expect.poll(() => [...written]).toEqual(['use_1']);
    expect(reported).toEqual(['away', 'spilled', 'back', 'again']);
  });

  test('is sent again by way of a file while the journal is away', async () => {
    inTurn(lose, away, write);
    const recorder = open({ findMissing, storedWaitsMs });
    await recorder.record(usageRecord('use_1'));
    await expect.poll(() => [...written]).toEqual(['use_1']);
    expect(reported).toEqual(['again', 'away', 'spilled', 'back']);
  });
});

test('a file whose owner may still write is left alone', async () => {
  await mkdir(directory, { recursive: true });
  await appendFile(join(directory, 'other-0.ndjson'), `${JSON.stringify(usageRecord('use_1'))}\n`);
  await createSpill({ directory, maxBytes: 1_000_000 }).replay(back);
  expect([journal.taken, await files()]).toEqual([[], ['other-0.ndjson']]);
});

describe('while neither the journal nor the disk accepts records', () => {
  beforeEach(async () => {
    journal.append = away;
    await mkdir(dirname(directory), { recursive: true });
    await writeFile(directory, 'in the way of the folder');
  });
  const ids = ['use_1', 'use_2', 'use_3', 'use_4', 'use_5'];
  const recordAll = (recorder: UsageRecorder) => Promise.all(ids.map((id) => recorder.record(usageRecord(id))));

  test('records are held in memory and written to the disk once it accepts them', async () => {
    const recorder = open({ maxHeldBytes: ids.length * lineBytes });
    await recordAll(recorder);
    expect(reported.toSorted()).toEqual(['away', ...ids.map(() => expect.stringMatching(/^held: /))]);
    expect(heldBytes).toBe(ids.length * lineBytes);
    await rm(directory);
    await expect.poll(() => heldBytes).toBe(0);
    journal.append = back;
    await expect.poll(() => journal.taken.toSorted()).toEqual(ids);
    expect(reported.filter((event) => event.startsWith('lost'))).toEqual([]);
  });

  test('or appended to the journal', async () => {
    const recorder = open({ maxHeldBytes: ids.length * lineBytes });
    await recordAll(recorder);
    journal.append = back;
    await expect.poll(() => journal.taken.toSorted()).toEqual(ids);
    expect(heldBytes).toBe(0);
  });

  test('records beyond the memory limit are lost and reported, and none is reported as written', async () => {
    await recordAll(open({ maxHeldBytes: 2 * lineBytes }));
    expect(reported.filter((event) => event.startsWith('lost'))).toEqual(['lost use_3', 'lost use_4', 'lost use_5']);
    expect(reported).not.toContain('spilled');
  });

  test('records held at shutdown are sent if the journal is back in time', async () => {
    const recorder = open({ maxHeldBytes: (ids.length + 1) * lineBytes });
    await recordAll(recorder);
    const stopped = recorder.stop(20_000);
    await recorder.record(usageRecord('use_6'));
    journal.append = back;
    await stopped;
    expect(journal.taken.toSorted()).toEqual([...ids, 'use_6']);
    expect(reported.filter((event) => event.startsWith('lost'))).toEqual([]);
  });

  test('records held at shutdown are lost and reported if the journal stays away', async () => {
    const recorder = open({ maxHeldBytes: 2 * lineBytes });
    await recorder.record(usageRecord('use_1'));
    await recorder.stop(100);
    expect(reported.at(-1)).toBe('lost use_1');
  });
});
