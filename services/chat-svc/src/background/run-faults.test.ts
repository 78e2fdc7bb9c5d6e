import { GatewayError, responsesErrors } from '@tallyport/contracts';
import { rateLimited } from '@tallyport/limits';
import type { Store } from '@tallyport/store';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { eventsAnswer } from './events-answer.ts';
import { encodeRun, type RunRecord } from './run-record.ts';
import type { FoundRun } from './runs.ts';
import {
  answerOf,
  begun,
  eventsOf,
  newRun,
  type RunReplica,
  type RunReplicas,
  startRunReplicas,
} from './testing/replicas-of-runs.ts';

let replicas: RunReplicas;
beforeEach(() => {
  replicas = startRunReplicas();
});
afterEach(() => replicas.stop());

const owner = { accountId: 'account' };
const waiting = { interval: 5 };
const { signal } = new AbortController();

const stateOf = async (on: RunReplica, id: string) => (await on.background.find(owner, id))?.record.state;
const ended = (on: RunReplica, id: string) => expect.poll(() => stateOf(on, id), waiting).toBe('ended');
const statusOf = async (on: RunReplica, id: string) => {
  const run = await on.background.find(owner, id);
  return run && (await on.background.document(run));
};
const typesFrom = async (on: RunReplica, run: FoundRun) =>
  (await eventsOf(on.background.follow(run, { after: -1, signal }))).map(({ type }) => type);
const opening = ['response.created', 'response.queued', 'response.in_progress'];
/** The store fails an operation, as if its answer were lost, while `isLost` says so. */
const losing =
  (isLost: (value: string) => boolean) =>
  (store: Store): Partial<Store> => ({
    async setIfOurs(key, marked, ttlMs) {
      return isLost(marked.value.toString()) ? 'unknown' : store.setIfOurs(key, marked, ttlMs);
    },
  });
/** The first operations of a kind fail. */
const times = (count: number, what: string) => {
  let left = count;
  return (value: string) => value.includes(what) && left-- > 0;
};

describe('a run whose answer is stored', () => {
  test('is not cancelled any more: its events and its state say the same', async () => {
    const first = replicas.start();
    const { run, answer } = await begun(newRun('resp_1'), first);
    answer.say('response.output_text.delta', { delta: 'a' });
    replicas.stored.add('resp_1');
    expect((await first.background.cancel(run)).record).toMatchObject({ state: 'ended' });
    expect(await typesFrom(first, run)).toEqual([...opening, 'response.output_text.delta', 'response.completed']);
    expect([first.ended, await statusOf(first, 'resp_1')]).toEqual([['completed'], undefined]);
  });

  test('has its last event also if the replica that had it dies before', async () => {
    const [first, second] = [replicas.start(), replicas.start()];
    const { run, answer } = await begun(newRun('resp_1', { stream: false }), first);
    const logged = async () => Buffer.from((await replicas.store.get(`${run.name}:events:0`)) ?? '').toString();
    await expect.poll(logged, waiting).toContain('response.in_progress');
    await answer.complete().then(() => first.suspend());
    expect(await typesFrom(second, run)).toEqual([...opening, 'response.completed']);
  });
});

describe('an ending that is not stored at once', () => {
  const failing = (count: number) => (store: Store) => {
    let left = count;
    return {
      set: async (...[key, value, ttlMs]: Parameters<Store['set']>) =>
        key.includes(':ending:') && left-- > 0 ? ('unknown' as const) : store.set(key, value, ttlMs),
    };
  };

  test.each([
    ['is tried again', 3, []],
    ['leaves the run to be ended later', 4, ['unavailable']],
  ])('%s', async (_what, count, faults) => {
    const first = replicas.start({ faulty: failing(count) });
    const { run, answer } = await begun(newRun('resp_1'), first);
    answer.say('response.output_text.delta', { delta: 'a' });
    await expect.poll(() => first.runs.refresh(run.name), waiting).toMatchObject({ shown: true });
    answer.say('response.failed', { response: { id: 'resp_1', status: 'failed', output: [] } });
    answer.end();
    await ended(first, 'resp_1');
    expect(await statusOf(first, 'resp_1')).toMatchObject({ id: 'resp_1', status: 'failed' });
    expect(await typesFrom(first, run)).toEqual([...opening, 'response.output_text.delta', 'response.failed']);
    expect(first.moves.filter((move) => move !== 'lost').map((move) => /unavailable/.exec(move)?.[0])).toEqual(faults);
  });

  test('of which the last event is stored stays the end, at the replica that takes the run over', async () => {
    const first = replicas.start({ faulty: losing(times(1, '"state":"ended"')) });
    const second = replicas.start();
    const { run, answer } = await begun(newRun('resp_1', { stream: false }), first);
    answer.refuse(new GatewayError('upstream_error', 'It failed.'));
    expect(await typesFrom(second, run)).toEqual([...opening, 'response.failed']);
    await ended(second, 'resp_1');
    expect(await statusOf(second, 'resp_1')).toMatchObject({ status: 'failed' });
    expect(second.answers).toEqual([]);
  });
});

describe('an answer is charged', () => {
  test('once it is certain that the replica still has the run', async () => {
    const first = replicas.start({ faulty: losing(times(2, '"charged":true')) });
    const { answer } = await begun(newRun('resp_1', { stream: false }), first);
    await answer.complete();
    await ended(first, 'resp_1');
    expect(first.charged).toEqual(['resp_1']);
  });

  test('not while that cannot be known, but by the one that takes the run over', async () => {
    let holder = '';
    const isLost = (value: string) => value.includes('"charged":true') && value.includes(holder);
    const first = replicas.start({ faulty: losing(isLost) });
    const { run, answer } = await begun(newRun('resp_1', { stream: false }), first);
    ({ holder } = run.record);
    await answer.complete();
    expect(first.charged).toEqual([]);
    replicas.stored.clear();
    const other = await answerOf(first, 1);
    await other.call();
    await other.complete();
    await ended(first, 'resp_1');
    expect([first.charged, first.ended]).toEqual([['resp_1'], ['completed']]);
  });
});

describe('a replica that takes a run over', () => {
  test.each<[string, Partial<RunRecord>, Partial<RunRecord> | undefined]>([
    ['keeps what its holder has written since it was found', { charged: true }, { charged: true }],
    ['does not get it once it has ended', { state: 'ended' }, undefined],
    ['does not get it once another one has it', { holder: 'another' }, undefined],
  ])('%s', async (_what, written, taken) => {
    const first = replicas.start({ mostRunning: 0 });
    const found = await first.runs.create(newRun('resp_1'));
    await replicas.store.set(found.name, encodeRun({ ...found.record, ...written }), 60_000);
    const claimed = await first.runs.claim(found);
    expect(claimed?.record.holder).not.toBe(found.record.holder);
    const holder = claimed?.record.holder;
    expect(claimed?.record).toEqual(taken && { ...found.record, ...taken, holder });
  });
});

describe('a run that is deleted', () => {
  const piecesOf = (name: string) =>
    Promise.all([0, 1, 2].map(async (piece) => (await replicas.store.get(`${name}:events:${piece}`)) !== undefined));

  test('does not come back when its replica goes on, and is not charged', async () => {
    const first = replicas.start();
    const { run, answer } = await begun(newRun('resp_1'), first);
    answer.say('response.output_text.delta', { delta: 'x'.repeat(20_000) });
    await expect.poll(() => piecesOf(run.name), waiting).toEqual([true, false, false]);
    await first.runs.drop(run.name);
    expect(await stateOf(first, 'resp_1')).toBeUndefined();
    answer.say('response.output_text.delta', { delta: 'x'.repeat(20_000) });
    await answer.complete();
    await expect.poll(() => first.background.running(), waiting).toBe(0);
    expect([await stateOf(first, 'resp_1'), [...replicas.stored], first.charged]).toEqual([undefined, [], []]);
    expect(await piecesOf(run.name)).toEqual([false, false, false]);
  });

  test('does not come back when it was cancelled, but had not ended in time', async () => {
    const [reached, gate] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const first = replicas.start({
      faulty: (store) => ({
        async setIfOurs(key, marked, ttlMs) {
          if (!marked.value.toString().includes('"state":"ended"')) return store.setIfOurs(key, marked, ttlMs);
          reached.resolve();
          await gate.promise;
          return store.setIfOurs(key, marked, ttlMs);
        },
      }),
    });
    const { run } = await begun(newRun('resp_1', { stream: false }), first);
    await first.runs.askToCancel(run.name);
    await reached.promise;
    await first.runs.drop(run.name);
    replicas.stored.add('resp_1');
    gate.resolve();
    await expect.poll(() => first.background.running(), waiting).toBe(0);
    expect([await stateOf(first, 'resp_1'), [...replicas.stored]]).toEqual([undefined, []]);
  });

  test('frees its place among the open runs of its account', async () => {
    const first = replicas.start({ mostOpen: 1 });
    const { run } = await begun(newRun('resp_1'), first);
    await first.runs.drop(run.name);
    await begun(newRun('resp_2'), first);
  });

  test('leaves no events of an answer that had ended', async () => {
    const first = replicas.start();
    const { run, answer } = await begun(newRun('resp_1'), first);
    for (let piece = 0; piece < 2; piece += 1) {
      answer.say('response.output_text.delta', { delta: 'x'.repeat(20_000) });
      await expect.poll(async () => (await piecesOf(run.name))[piece], waiting).toBe(true);
    }
    await answer.complete();
    await ended(first, 'resp_1');
    await first.background.drop(run);
    expect(await piecesOf(run.name)).toEqual([false, false, false]);
  });
});

test('a run that is cancelled while its replica still leaves it is a run of its own', async () => {
  const leaving = Promise.withResolvers<void>();
  const cancelled = Promise.withResolvers<void>();
  let isFull = true;
  const first = replicas.start({
    enter() {
      if (isFull) throw rateLimited('full', 1);
      return () => {};
    },
    faulty: (store) => ({
      async queue(key, step) {
        if (step.kind === 'put' && step.dueInMs === 1_000) await leaving.promise;
        return store.queue(key, step);
      },
      async get(key) {
        if (key.endsWith(':cancel') && !isFull) await cancelled.promise;
        return store.get(key);
      },
    }),
  });
  await first.background.begin(newRun('resp_1'));
  await expect.poll(async () => (await first.background.find(owner, 'resp_1'))?.record.holder, waiting).toBe('');
  isFull = false;
  const run = (await first.background.find(owner, 'resp_1'))!;
  const cancelling = first.background.cancel(run);
  await expect.poll(() => first.background.running(), waiting).toBe(2);
  cancelled.resolve();
  expect((await cancelling).record.state).toBe('ended');
  leaving.resolve();
  await expect.poll(() => first.background.running(), waiting).toBe(0);
});

test.each([
  ['a service that shuts down', new GatewayError('unavailable', 'The service is shutting down.')],
  ['the time limit', new GatewayError('deadline_exceeded', 'It took too long.', { domain: 'gateway' })],
])('events that %s cuts off are no whole answer', async (_what, reason) => {
  const first = replicas.start();
  const { run } = await begun(newRun('resp_1'), first);
  const cutting = new AbortController();
  const events = first.background.follow(run, { after: -1, signal: cutting.signal });
  const { body, failed } = eventsAnswer(events, { keepAliveMs: 60_000, errors: responsesErrors });
  let text = '';
  for await (const bytes of body as AsyncIterable<Uint8Array>) {
    text += Buffer.from(bytes).toString();
    if (text.includes('response.queued')) cutting.abort(reason);
  }
  expect([failed?.(), text.slice(text.lastIndexOf('event: '))]).toEqual([true, responsesErrors.lastEvent(reason)]);
});

describe('a run that a client follows is counted as concurrent', () => {
  let entered = 0;
  let left = 0;
  beforeEach(() => {
    [entered, left] = [0, 0];
  });
  const enter = () => {
    entered += 1;
    return () => void (left += 1);
  };
  const followed = newRun('resp_1', { isFollowed: true });

  test.each([
    ['the same replica', 10],
    ['another replica', 0],
  ])('once the client has left, if it is made by %s', async (_where, mostRunning) => {
    const first = replicas.start({ mostRunning, enter });
    const other = replicas.start({ enter, mostRunning: 10 - mostRunning });
    const made = mostRunning > 0 ? first : other;
    const beginning = first.background.begin(followed);
    const answer = await answerOf(made);
    await answer.call();
    const client = new AbortController();
    const run = (await beginning) as FoundRun;
    const following = eventsOf(first.background.follow(run, { after: -1, signal, counted: client.signal }));
    answer.say('response.output_text.delta', { delta: 'a' });
    await expect.poll(() => first.runs.refresh(run.name), waiting).toMatchObject({ shown: true });
    expect(entered).toBe(0);
    client.abort();
    await expect.poll(() => [entered, left], waiting).toEqual([1, 0]);
    await answer.complete();
    await following;
    await expect.poll(() => [entered, left], waiting).toEqual([1, 1]);
  });

  test('once the replica of the client has died', async () => {
    const first = replicas.start({ mostRunning: 0 });
    const other = replicas.start({ enter });
    const run = (await first.background.begin(followed)) as FoundRun;
    const answer = await answerOf(other);
    await answer.call();
    void eventsOf(first.background.follow(run, { after: -1, signal, counted: signal }));
    expect(entered).toBe(0);
    first.suspend();
    await expect.poll(() => entered, waiting).toBe(1);
    first.resume();
    await answer.complete();
  });
});

describe('an Idempotency-Key', () => {
  const keyed = (id: string) => ({ ...newRun(id), key: 'key' });

  test('begins one run, which every replica finds', async () => {
    const [first, second] = [replicas.start(), replicas.start()];
    const { answer } = await begun(keyed('resp_1'), first);
    expect((await second.background.findByKey(owner, 'key'))?.record.id).toBe('resp_1');
    expect(await second.background.findByKey({ ...owner, projectId: 'ads' }, 'key')).toBeUndefined();
    await expect(second.background.begin(keyed('resp_2'))).rejects.toMatchObject({ code: 'unavailable' });
    expect(await stateOf(second, 'resp_2')).toBeUndefined();
    await answer.complete();
    await ended(first, 'resp_1');
    expect((await second.background.findByKey(owner, 'key'))?.record.id).toBe('resp_1');
  });

  test('begins another run after the first one was refused or deleted', async () => {
    const first = replicas.start();
    const refused = first.background.begin(keyed('resp_1'));
    (await answerOf(first)).refuse(new GatewayError('budget_exceeded', 'No money.'));
    await expect(refused).rejects.toMatchObject({ code: 'budget_exceeded' });
    expect(await first.background.findByKey(owner, 'key')).toBeUndefined();
    const { run } = await begun(keyed('resp_2'), first);
    await first.background.drop(run);
    await begun(keyed('resp_3'), first);
    expect((await first.background.findByKey(owner, 'key'))?.record.id).toBe('resp_3');
  });

  test('gets a run begun whose replica died before it was in the queue', async () => {
    const never = new Promise<never>(() => {});
    const first = replicas.start({ faulty: () => ({ queue: () => never }) });
    void first.background.begin(keyed('resp_1'));
    const second = replicas.start();
    await expect
      .poll(() => second.background.findByKey(owner, 'key'), waiting)
      .toMatchObject({ record: { id: 'resp_1' } });
    await (await answerOf(second)).call();
  });
});
