import type { ExchangeAnswer, IncomingExchange } from '@tallyport/bus';
import { expect, test } from 'vitest';
import { batchesLast } from './low-priority.ts';

const answer: ExchangeAnswer = { head: { status: 200, headers: {} }, body: new Uint8Array(0) };
const exchange = (batch?: { id: string; line: number }): IncomingExchange => ({
  head: { requestId: 'r', timeoutMs: 1_000, headers: {}, ...(batch && { batch }) },
  body: { async *[Symbol.asyncIterator]() {}, bytes: async () => new Uint8Array(0), cancel() {} },
  signal: new AbortController().signal,
});

/** A process whose time and load the test sets. */
function setUp() {
  let now = 0;
  let busy = 0;
  let pending = Promise.resolve();
  let body: ExchangeAnswer['body'] | undefined;
  const utilization = () => ({ idle: 1 - busy, active: busy, utilization: busy });
  const serve = batchesLast({ now: () => now, utilization })(async () => {
    await pending;
    return body === undefined ? answer : { ...answer, body };
  });
  return {
    pass: (ms: number) => void (now += ms),
    isBusy: (share: number) => void (busy = share),
    client: () => serve(exchange()),
    line: () => serve(exchange({ id: 'batch_1', line: 1 })),
    hold() {
      const { promise, resolve } = Promise.withResolvers<void>();
      pending = promise;
      return resolve;
    },
    free: () => void (pending = Promise.resolve()),
    answers: (other?: ExchangeAnswer['body']) => void (body = other),
  };
}

const refused = { code: 'overloaded', retryAfterMs: 1_000 };

/** How many lines are taken until one is refused. */
async function takes(line: () => Promise<unknown>): Promise<number> {
  for (let taken = 0; taken < 1_000; taken += 1) {
    const error = await line().then(
      () => undefined,
      (thrown: unknown) => thrown,
    );
    if (error === undefined) continue;
    expect(error).toMatchObject(refused);
    return taken;
  }
  throw new Error('No line is refused.');
}

test('without requests of clients, lines of batches may use all of a process', async () => {
  const { line, client, isBusy, pass } = setUp();
  isBusy(1);
  for (let count = 0; count < 100; count += 1) expect(await line()).toBe(answer);
  await client();
  await expect(line()).rejects.toMatchObject(refused);
  pass(1_000);
  for (let count = 0; count < 100; count += 1) expect(await line()).toBe(answer);
});

test('beside clients it takes one more every 100 ms, half as many once it is busy, and never none', async () => {
  const { line, client, isBusy, pass } = setUp();
  await client();
  const taken: number[] = [];
  for (const busy of [0, 0, 0.5, 0.51, 0.51, 1, 1, 0]) {
    isBusy(busy);
    pass(100);
    taken.push(await takes(line));
  }
  expect(taken).toEqual([2, 3, 4, 2, 1, 1, 1, 2]);
});

test('beside clients it takes at most 50 in 100 ms', async () => {
  const { line, client, pass } = setUp();
  for (let count = 0; count < 100; count += 1) {
    await client();
    pass(100);
    await line();
  }
  expect(await takes(line)).toBe(49);
});

test('a request that runs counts for as long as it does, and is never refused', async () => {
  const { line, client, isBusy, pass, hold, free } = setUp();
  const end = hold();
  const running = client();
  free();
  isBusy(1);
  pass(60_000);
  expect(await takes(line)).toBe(1);
  expect(await client()).toBe(answer);
  end();
  expect(await running).toBe(answer);
});

test('a stream counts until it was sent or abandoned', async () => {
  const { line, client, isBusy, pass, answers } = setUp();
  async function* words(): AsyncGenerator<Uint8Array> {
    yield Buffer.from('one');
    yield Buffer.from('two');
  }
  const open = async () => {
    answers(words());
    const { body } = await client();
    answers();
    if (body instanceof Uint8Array) throw new Error('The answer is no stream.');
    const pieces = body[Symbol.asyncIterator]();
    expect((await pieces.next()).value).toEqual(Buffer.from('one'));
    return pieces;
  };
  const [sent, abandoned] = [await open(), await open()];
  isBusy(1);
  pass(60_000);
  expect(await takes(line)).toBe(1);
  expect([await sent.next(), await sent.next()]).toMatchObject([{ value: Buffer.from('two') }, { done: true }]);
  pass(60_000);
  expect(await takes(line)).toBe(1);
  await abandoned.return?.();
  pass(1_000);
  for (let count = 0; count < 100; count += 1) expect(await line()).toBe(answer);
});
