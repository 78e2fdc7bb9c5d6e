import { openMemoryStore } from '@switchyard/store';
import { afterAll, expect, test } from 'vitest';
import type { OnceRecord } from './record.ts';
import { storedPieceBytes, type ResultWriter, storedResults } from './stored-results.ts';

const store = openMemoryStore();
const results = storedResults(store, 60_000);
afterAll(() => store.close());

const head = { status: 200, headers: { 'content-type': 'application/json' } };

async function claimed(name: string): Promise<ResultWriter> {
  const claim = await results.claim(name, 'print');
  if (claim.kind !== 'ours') throw new Error(`It is ${claim.kind}.`);
  return claim.result;
}

async function recordOf(name: string): Promise<OnceRecord> {
  const record = await results.find(name);
  if (record === undefined) throw new Error('There is none.');
  return record;
}

test('who comes second finds who was first', async () => {
  const writer = await claimed('second');
  expect(await results.claim('second', 'another')).toMatchObject({
    kind: 'known',
    record: { fingerprint: 'print', state: 'running', pieces: 0 },
  });
  await writer.release();
  await (await claimed('second')).release();
});

test('what is larger than a piece comes back whole', async () => {
  const writer = await claimed('large');
  const bytes = Buffer.alloc(2 * storedPieceBytes + 1, 'abc');
  writer.begin(head);
  expect(await writer.write(bytes)).toBe(true);
  await writer.finish();
  const record = await recordOf('large');
  expect(record).toMatchObject({ state: 'done', head, pieces: 3 });
  expect(Buffer.concat((await results.whole('large', record)) ?? []).equals(bytes)).toBe(true);
});

test.each([
  ['missing', (name: string) => store.delete(name)],
  ['cut off', (name: string) => store.set(name, Buffer.from('hal'), 60_000)],
  ['changed', (name: string) => store.set(name, Buffer.from('tree'), 60_000)],
])('a piece that is %s makes the answer none', async (what, spoil) => {
  const writer = await claimed(what);
  writer.begin(head);
  await writer.write(Buffer.from('half'));
  await writer.finish();
  const record = await recordOf(what);
  await spoil(`${what}:${record.run}:0`);
  expect(await results.whole(what, record)).toBeUndefined();
});

test('who was late takes nothing from who came after', async () => {
  const late = await claimed('late');
  await store.delete('late');
  await claimed('late');
  const { run } = await recordOf('late');
  await late.release();
  expect((await recordOf('late')).run).toBe(run);
});

test('what is nothing of ours is replaced', async () => {
  await store.set('foreign', Buffer.from('{"not":"ours"}'), 60_000);
  await (await claimed('foreign')).release();
});

test('what is not kept says so, and leaves nothing else', async () => {
  const writer = await claimed('unkept');
  await writer.write(Buffer.from('half'));
  const { run } = await recordOf('unkept');
  await writer.unkept();
  expect(await recordOf('unkept')).toMatchObject({ state: 'unkept', pieces: 0 });
  expect(await results.piece('unkept', run, 0)).toBeUndefined();
});

test('without a store nobody is first', async () => {
  const away = openMemoryStore();
  await away.close();
  expect(await storedResults(away, 60_000).claim('away', 'print')).toEqual({ kind: 'away' });
});
