import { GatewayError } from '@tallyport/contracts';
import { rateLimited } from '@tallyport/limits';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { FoundRun, NewRun } from './runs.ts';
import {
  answerOf as answerIn,
  begun as begunOn,
  eventsOf,
  newRun,
  type RunReplica,
  type RunReplicas,
  startRunReplicas,
} from './testing/replicas-of-runs.ts';

let replicas: RunReplicas;
let [first, second]: RunReplica[] = [];
beforeEach(() => {
  replicas = startRunReplicas();
  [first, second] = [replicas.start(), replicas.start()];
});
afterEach(() => replicas.stop());

const owner = { accountId: 'account' };
const waiting = { interval: 5 };
const { signal } = new AbortController();

const answerOf = (replica: RunReplica | undefined, at = 0) => answerIn(replica!, at);
const begun = (run: NewRun, on: RunReplica = first!) => begunOn(run, on);
const recordOf = async (id: string) => (await second!.background.find(owner, id))?.record;
const stateOf = async (id: string) => (await recordOf(id))?.state;
const typesOf = (events: Record<string, unknown>[]) => events.map(({ type }) => type);
const numbersOf = (events: Record<string, unknown>[]) => events.map(({ sequence_number: number }) => number);
const follow = (on: RunReplica | undefined, run: FoundRun, after = -1) =>
  eventsOf(on!.background.follow(run, { after, signal }));
const statusOf = async (on: RunReplica | undefined, id: string) => {
  const run = await on!.background.find(owner, id);
  return run && (await on!.background.document(run));
};
const opening = ['response.created', 'response.queued', 'response.in_progress'];

describe('a streamed run', () => {
  test('is followed on another replica from each event on, while it is made and afterwards', async () => {
    const { run, answer } = await begun(newRun('resp_1'));
    const live = Array.from({ length: 8 }, (_, index) => follow(second, run, index - 1));
    for (const delta of ['a', 'b', 'c']) answer.say('response.output_text.delta', { delta });
    await answer.complete();
    const all = (await live[0])!;
    const deltas = Array.from({ length: 3 }, () => 'response.output_text.delta');
    expect(typesOf(all)).toEqual([...opening, ...deltas, 'response.completed']);
    expect(numbersOf(all)).toEqual([0, 1, 2, 3, 4, 5, 6]);
    expect(await Promise.all(live)).toEqual(Array.from({ length: 8 }, (_, index) => all.slice(index)));
    await expect.poll(() => stateOf('resp_1'), waiting).toBe('ended');
    const again = (await second!.background.find(owner, 'resp_1'))!;
    for (let after = -1; after < 8; after += 1) expect(await follow(first, again, after)).toEqual(all.slice(after + 1));
    expect(first!.charged).toEqual(['resp_1']);
  });

  test('goes on when its followers leave', async () => {
    const { run, answer } = await begun(newRun('resp_1'));
    const leaving = new AbortController();
    const following = eventsOf(first!.background.follow(run, { after: -1, signal: leaving.signal }));
    leaving.abort(new GatewayError('client_closed_request', 'The client has left.'));
    await expect(following).rejects.toMatchObject({ code: 'client_closed_request' });
    await answer.complete();
    await expect.poll(() => first!.ended, waiting).toEqual(['completed']);
    expect(answer.signal.aborted).toBe(false);
  });

  test('with more events than are kept can still be followed up to the bound, and only its response is kept beyond', async () => {
    const small = replicas.start({ maxLogBytes: 4_000 });
    const { run, answer } = await begun(newRun('resp_1'), small);
    const live = follow(small, run);
    answer.say('response.output_text.delta', { delta: 'x'.repeat(5_000) });
    await answer.complete();
    await expect(live).rejects.toMatchObject({ message: expect.stringContaining('no longer kept, or were too many') });
    await expect.poll(() => small.ended, waiting).toEqual(['completed']);
    const ended = (await small.background.find(owner, 'resp_1'))!;
    expect(() => small.background.follow(ended, { after: -1, signal })).toThrow('too many');
  });
});

describe('a replica that dies', () => {
  test('before it called a provider: another one makes the answer, with the same events', async () => {
    const beginning = first!.background.begin(newRun('resp_1'));
    await answerOf(first);
    const run = (await second!.background.find(owner, 'resp_1'))!;
    first!.suspend();
    const live = follow(second, run);
    const answer = await answerOf(second);
    await answer.call();
    answer.say('response.output_text.delta', { delta: 'a' });
    await answer.complete();
    const events = await live;
    expect(typesOf(events)).toEqual([...opening, 'response.output_text.delta', 'response.completed']);
    expect(numbersOf(events)).toEqual([0, 1, 2, 3, 4]);
    first!.resume();
    await beginning;
    expect([first!.charged, second!.charged, second!.moves]).toEqual([[], ['resp_1'], ['taken_over']]);
  });

  test('while a provider makes a whole answer: another one makes it, and one of them is charged', async () => {
    const { answer } = await begun(newRun('resp_1', { stream: false }));
    first!.suspend();
    const other = await answerOf(second);
    await other.call();
    // The provider has answered both.
    const late = answer.complete();
    await other.complete();
    first!.resume();
    await late;
    await expect.poll(() => stateOf('resp_1'), waiting).toBe('ended');
    expect([first!.charged, second!.charged]).toEqual([[], ['resp_1']]);
    expect([first!.ended, second!.ended, answer.signal.aborted]).toEqual([[], ['completed'], true]);
  });

  test('after a part was shown: the response has failed, with the next number and without another call', async () => {
    const { run, answer } = await begun(newRun('resp_1'));
    const live = follow(second, run);
    answer.say('response.output_text.delta', { delta: 'a' });
    await expect.poll(async () => (await recordOf('resp_1'))?.shown, waiting).toBe(true);
    const logged = async () => Buffer.from((await replicas.store.get(`${run.name}:events:0`)) ?? '').toString();
    await expect.poll(logged, waiting).toContain('response.output_text.delta');
    first!.suspend();
    const events = await live;
    expect(typesOf(events)).toEqual([...opening, 'response.output_text.delta', 'response.failed']);
    expect(numbersOf(events)).toEqual([0, 1, 2, 3, 4]);
    const document = { id: 'resp_1', status: 'failed', error: { code: 'server_error' } };
    expect(events.at(-1)).toMatchObject({ response: document });
    await expect.poll(() => stateOf('resp_1'), waiting).toBe('ended');
    expect(await statusOf(second, 'resp_1')).toMatchObject(document);
    first!.resume();
    await answer.complete();
    expect([first!.charged, second!.answers, second!.moves]).toEqual([[], [], ['lost']]);
  });

  test.each([
    ['is stored', true, 'completed'],
    ['is lost', false, 'failed'],
  ])('after it charged for an answer that %s: no other one makes it', async (_what, isStored, result) => {
    const { answer } = await begun(newRun('resp_1', { stream: false }));
    await answer.complete().then(() => first!.suspend());
    if (!isStored) replicas.stored.clear();
    await expect.poll(() => second!.ended, waiting).toEqual([result]);
    expect([first!.charged, second!.charged, second!.answers]).toEqual([['resp_1'], [], []]);
  });

  test('three times with the same request: the response has failed', async () => {
    const all = [first!, second!, replicas.start(), replicas.start()];
    void first!.background.begin(newRun('resp_1', { stream: false }));
    for (let times = 0; times < 3; times += 1) {
      await expect.poll(() => all.filter(({ answers }) => answers.length > 0).length, waiting).toBe(times + 1);
      const holder = all.find(({ answers }) => answers.length > 0 && !answers[0]!.signal.aborted)!;
      await holder.answers[0]!.call().catch(() => {});
      holder.suspend();
      holder.answers[0] = { ...holder.answers[0]!, signal: AbortSignal.abort() };
    }
    await expect.poll(() => all.flatMap(({ ended }) => ended), waiting).toEqual(['failed']);
    for (const each of all) each.resume();
    expect(all.flatMap(({ charged }) => charged)).toEqual([]);
  });
});

describe('a cancelled run', () => {
  const cancelled = { id: 'resp_1', status: 'cancelled', error: null };

  test.each([
    ['by the replica that has it', () => first],
    ['by another one', () => second],
  ])('stops %s', async (_who, on) => {
    const { run, answer } = await begun(newRun('resp_1'));
    const live = follow(first, run);
    expect((await on()!.background.cancel(run)).record.state).toBe('ended');
    expect(answer.signal.aborted).toBe(true);
    expect(await statusOf(second, 'resp_1')).toMatchObject(cancelled);
    const events = await live;
    expect([typesOf(events), numbersOf(events)]).toEqual([
      [...opening, 'response.cancelled'],
      [0, 1, 2, 3],
    ]);
    expect((await second!.background.cancel(run)).record.state).toBe('ended');
  });

  test('that waits is never begun', async () => {
    const none = replicas.start({ mostRunning: 0 });
    await first!.background.drain(0);
    await second!.background.drain(0);
    const run = (await none.background.begin(newRun('resp_1'))) as FoundRun;
    const live = follow(none, run);
    const other = replicas.start();
    await other.background.cancel(run);
    expect(typesOf(await live)).toEqual(['response.created', 'response.queued', 'response.cancelled']);
    expect(other.answers.length).toBe(0);
  });

  test('whose replica has died is ended by another one', async () => {
    const { run } = await begun(newRun('resp_1', { stream: false }));
    first!.suspend();
    expect((await second!.background.cancel(run)).record.state).toBe('ended');
    expect(await statusOf(second, 'resp_1')).toMatchObject(cancelled);
    first!.resume();
    expect(second!.answers).toEqual([]);
  });

  test('that has ended keeps its end', async () => {
    const { run, answer } = await begun(newRun('resp_1'));
    await answer.complete();
    await expect.poll(() => stateOf('resp_1'), waiting).toBe('ended');
    const record = await recordOf('resp_1');
    await second!.background.cancel({ name: run.name, record: record! });
    expect(await recordOf('resp_1')).toEqual(record);
  });
});

describe('bounds', () => {
  test('a run waits while its replica makes as many as it may, and is begun as soon as one has ended', async () => {
    await second!.background.drain(0);
    await first!.background.drain(0);
    const one = replicas.start({ mostRunning: 1 });
    const { answer } = await begun(newRun('resp_1'), one);
    const waits = (await one.background.begin(newRun('resp_2'))) as FoundRun;
    expect([await stateOf('resp_2'), one.background.running(), one.answers.length]).toEqual(['queued', 1, 1]);
    await answer.complete();
    const next = await answerOf(one, 1);
    await next.call();
    await next.complete();
    expect(typesOf(await follow(one, waits))).toEqual([...opening, 'response.completed']);
  });

  test('an account has so many open runs and not one more, until one ends', async () => {
    const few = replicas.start({ mostOpen: 2 });
    const { answer } = await begun(newRun('resp_1'), few);
    await begun(newRun('resp_2'), few);
    const more = few.background.begin(newRun('resp_3'));
    await expect(more).rejects.toMatchObject({
      code: 'rate_limit_exceeded',
      message: expect.stringContaining('RESPONSES_BACKGROUND_OPEN'),
    });
    await begun(newRun('resp_3', { accountId: 'another' }), few);
    await answer.complete();
    await expect.poll(() => few.ended, waiting).toEqual(['completed']);
    await begun(newRun('resp_4'), few);
  });

  test('a run waits while the limits on concurrent requests have no room', async () => {
    let isFull = true;
    let left = 0;
    const enter = () => {
      if (isFull) throw rateLimited('full', 1);
      return () => (left += 1);
    };
    for (const each of [first!, second!]) await each.background.drain(0);
    const limited = replicas.start({ enter });
    await limited.background.begin(newRun('resp_1'));
    expect([await stateOf('resp_1'), limited.answers.length]).toEqual(['queued', 0]);
    isFull = false;
    const answer = await answerOf(limited);
    await answer.call();
    await answer.complete();
    await expect.poll(() => [limited.ended, left], waiting).toEqual([['completed'], 1]);
  });
});

describe('a refusal before a provider is called', () => {
  const refusal = new GatewayError('budget_exceeded', 'No money.');

  test('is the answer to the client, and leaves no run', async () => {
    const beginning = first!.background.begin(newRun('resp_1'));
    (await answerOf(first)).refuse(refusal);
    await expect(beginning).rejects.toBe(refusal);
    await expect.poll(() => second!.background.find(owner, 'resp_1'), waiting).toBeUndefined();
  });

  test('is the end of a run that its client knows', async () => {
    const none = replicas.start({ mostRunning: 0 });
    const run = (await none.background.begin(newRun('resp_1'))) as FoundRun;
    await expect.poll(() => first!.answers.length + second!.answers.length, waiting).toBe(1);
    [...first!.answers, ...second!.answers][0]!.refuse(refusal);
    const events = await follow(none, run);
    expect(events.at(-1)).toMatchObject({
      type: 'response.failed',
      sequence_number: 3,
      response: { status: 'failed', error: { code: 'insufficient_quota', message: 'No money.' } },
    });
  });
});

describe('a replica that shuts down', () => {
  test('hands over what waits for a provider, and what waits for room', async () => {
    await second!.background.drain(0);
    const { answer } = await begun(newRun('resp_1', { stream: false }));
    const draining = first!.background.drain(0);
    const late = (await first!.background.begin(newRun('resp_2'))) as FoundRun;
    await draining;
    expect([answer.signal.aborted, first!.moves, late.record.state]).toEqual([true, ['handed_over'], 'queued']);
    const other = replicas.start();
    await expect.poll(() => other.answers.map(({ id }) => id).toSorted(), waiting).toEqual(['resp_1', 'resp_2']);
    for (const made of other.answers) {
      await made.call();
      await made.complete();
    }
    await expect.poll(() => other.charged.toSorted(), waiting).toEqual(['resp_1', 'resp_2']);
    expect(first!.charged).toEqual([]);
  });

  test('finishes what ends in time', async () => {
    const { answer } = await begun(newRun('resp_1'));
    const draining = first!.background.drain(10_000);
    await answer.complete();
    await draining;
    expect([first!.ended, first!.moves, second!.answers]).toEqual([['completed'], [], []]);
  });

  test('ends what clients have seen a part of', async () => {
    const { run, answer } = await begun(newRun('resp_1'));
    answer.say('response.output_text.delta', { delta: 'a' });
    await expect.poll(async () => (await recordOf('resp_1'))?.shown, waiting).toBe(true);
    await first!.background.drain(0);
    const events = await follow(second, run);
    expect(typesOf(events)).toEqual([...opening, 'response.output_text.delta', 'response.failed']);
    expect(events.at(-1)).toMatchObject({ response: { error: { message: expect.stringContaining('shutting down') } } });
  });
});
