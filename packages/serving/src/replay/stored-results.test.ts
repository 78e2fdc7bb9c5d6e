import { createByteQuota, openMemoryStore } from '@tallyport/store';
import { afterAll, expect, test } from 'vitest';
import type { OnceRecord } from './record.ts';
import { storedPieceBytes, type ResultWriter } from './result-writer.ts';
import { storedResults } from './stored-results.ts';

const store = openMemoryStore();
const quota = createByteQuota({ store, name: 'test', maxBytes: 64 * 1024 ** 2 });
const results = storedResults({ store, quota, ttlMs: 60_000 });
afterAll(() => store.close());

const request = { fingerprint: 'print', keyId: 'key', answerRules: '', project: '' };
const head = { status: 200, headers: { 'content-type': 'application/json' } };

async function claimed(name: string): Promise<ResultWriter> {
  const claim = await results.claim(name, request, 'account');
  if (claim.kind !== 'ours') throw new Error(`It is ${claim.kind}.`);
  return claim.result;
}

async function recordOf(name: string): Promise<OnceRecord> {
  const record = await results.find(name);
  if (record === undefined) throw new Error('There is none.');
  return record;
}

test('the second request finds the record of the first', async () => {
  const writer = await claimed('second');
  expect(
    await results.claim(
      'second',
      { fingerprint: 'another', keyId: 'another', answerRules: '', project: '' },
      'account',
    ),
  ).toMatchObject({
    kind: 'known',
    record: { ...request, state: 'running', pieces: 0 },
  });
  await writer.release();
  await (await claimed('second')).release();
});

test('an answer larger than one piece is read back whole', async () => {
  const writer = await claimed('large');
  const bytes = Buffer.alloc(2 * storedPieceBytes + 1, 'abc');
  writer.begin({ head });
  expect(await writer.write(bytes)).toBe('stored');
  await writer.finish();
  const record = await recordOf('large');
  expect(record).toMatchObject({ state: 'done', head, pieces: 3 });
  expect(Buffer.concat((await results.whole('large', record)) ?? []).equals(bytes)).toBe(true);
});

test.each([
  ['missing', (name: string) => store.delete(name)],
  ['cut off', (name: string) => store.set(name, Buffer.from('hal'), 60_000)],
  ['changed', (name: string) => store.set(name, Buffer.from('tree'), 60_000)],
])('an answer with a piece that is %s is not returned', async (what, spoil) => {
  const writer = await claimed(what);
  writer.begin({ head });
  await writer.write(Buffer.from('half'));
  await writer.finish();
  const record = await recordOf(what);
  await spoil(`${what}:${record.run}:0`);
  expect(await results.whole(what, record)).toBeUndefined();
});

test('a late release does not remove the claim of the next run', async () => {
  const late = await claimed('late');
  await store.delete('late');
  await claimed('late');
  const { run } = await recordOf('late');
  await late.release();
  expect((await recordOf('late')).run).toBe(run);
});

test('a run that lost its lease does not overwrite the answer of the next one', async () => {
  const suspended = await claimed('lost');
  suspended.begin({ head });
  await suspended.write(Buffer.from('one'));
  await store.delete('lost');
  const holder = await claimed('lost');
  holder.begin({ head });
  await holder.write(Buffer.from('another'));
  await holder.finish();
  const answer = await recordOf('lost');
  expect(await suspended.holdsLease()).toBe(true);
  expect(await suspended.write(Buffer.from(' more'))).toBe('unsure');
  expect([await suspended.holdsLease(), await holder.holdsLease()]).toEqual([false, true]);
  suspended.begin({ head });
  await suspended.finish();
  await suspended.unkept();
  await suspended.release();
  expect(await recordOf('lost')).toEqual(answer);
  expect(Buffer.concat((await results.whole('lost', answer)) ?? []).toString()).toBe('another');
});

test('a lease that expired without a successor is taken again', async () => {
  const writer = await claimed('again');
  await store.delete('again');
  writer.begin({ head });
  expect(await writer.write(Buffer.from('whole'))).toBe('stored');
  await writer.finish();
  expect(await recordOf('again')).toMatchObject({ state: 'done', pieces: 1 });
});

test('an unreadable record is replaced', async () => {
  await store.set('foreign', Buffer.from('{"not":"ours"}'), 60_000);
  await (await claimed('foreign')).release();
});

test('an answer that is not kept leaves a record that says so, and nothing else', async () => {
  const writer = await claimed('unkept');
  await writer.write(Buffer.from('half'));
  const { run } = await recordOf('unkept');
  await writer.unkept();
  expect(await recordOf('unkept')).toMatchObject({ state: 'unkept', pieces: 0 });
  expect(await results.piece('unkept', run, 0)).toBeUndefined();
});

test('without a store no request is the first', async () => {
  const away = openMemoryStore();
  await away.close();
  expect(await storedResults({ store: away, quota, ttlMs: 60_000 }).claim('away', request, 'account')).toEqual({
    kind: 'away',
  });
});

test('an account keeps up to its quota and not one byte more; an answer beyond it is not kept and takes no room', async () => {
  const small = createByteQuota({ store, name: 'small', maxBytes: 1_000 });
  const bounded = storedResults({ store, quota: small, ttlMs: 60_000 });
  const keep = async (name: string, bytes: number, holder = 'one') => {
    const claim = await bounded.claim(name, request, holder);
    if (claim.kind !== 'ours') throw new Error(`It is ${claim.kind}.`);
    claim.result.begin({ head });
    const isKept = (await claim.result.write(Buffer.alloc(bytes))) === 'stored';
    await (isKept ? claim.result.finish() : claim.result.unkept());
    return isKept;
  };
  expect([await keep('q1', 600), await keep('q2', 401), await keep('q3', 400), await keep('q4', 1)]).toEqual([
    true,
    false,
    true,
    false, // prettier-ignore
  ]);
  expect(await keep('q5', 1_000, 'another')).toBe(true);
  expect(await bounded.find('q2')).toMatchObject({ state: 'unkept', pieces: 0 });
});

test('an answer that was partly stored gives its share of the quota back', async () => {
  const small = createByteQuota({ store, name: 'parts', maxBytes: 3 * storedPieceBytes });
  const bounded = storedResults({ store, quota: small, ttlMs: 60_000 });
  const write = async (name: string, pieces: number) => {
    const claim = await bounded.claim(name, request, 'one');
    if (claim.kind !== 'ours') throw new Error(`It is ${claim.kind}.`);
    const isKept = (await claim.result.write(Buffer.alloc(pieces * storedPieceBytes))) === 'stored';
    await (isKept ? claim.result.finish() : claim.result.unkept());
    return isKept;
  };
  expect([await write('p1', 4), await write('p2', 3)]).toEqual([false, true]);
});

test('an answer that is not counted takes nothing of a quota, and can be deleted', async () => {
  const full = createByteQuota({ store, name: 'full', maxBytes: 0 });
  const uncounted = storedResults({ store, quota: full, ttlMs: 60_000 });
  const claim = await uncounted.claim('line', request, undefined);
  if (claim.kind !== 'ours') throw new Error(`It is ${claim.kind}.`);
  claim.result.begin({ head });
  expect(await claim.result.write(Buffer.from('answer'))).toBe('stored');
  // One that is still made is left to its run.
  await uncounted.drop('line');
  const { run } = await recordOf('line');
  await claim.result.finish();
  await uncounted.drop('line');
  expect([await results.find('line'), await results.piece('line', run, 0)]).toEqual([undefined, undefined]);
  await uncounted.drop('line');
});
