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
  const utilization = () => ({ idle: 1 - busy, active: busy, utilization: busy });
  const serve = batchesLast({ now: () => now, utilization })(async () => {
    await pending;
    return answer;
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
  };
}

const refused = { code: 'overloaded', retryAfterMs: 200 };

test('without requests of clients, lines of batches may use all of a process', async () => {
  const { line, isBusy, pass } = setUp();
  isBusy(1);
  pass(100);
  expect(await line()).toBe(answer);
});

test('within a second of a request of a client, lines are refused while the process is busy', async () => {
  const { line, client, isBusy, pass } = setUp();
  await client();
  isBusy(0.51);
  pass(100);
  await expect(line()).rejects.toMatchObject(refused);
  pass(899);
  await expect(line()).rejects.toMatchObject(refused);
  isBusy(0.5);
  pass(100);
  await client();
  expect(await line()).toBe(answer);
  isBusy(1);
  pass(1_000);
  expect(await line()).toBe(answer);
});

test('a request that runs counts for as long as it does, and is never refused', async () => {
  const { line, client, isBusy, pass, hold, free } = setUp();
  const end = hold();
  const running = client();
  free();
  isBusy(1);
  pass(999);
  await expect(line()).rejects.toMatchObject(refused);
  expect(await client()).toBe(answer);
  end();
  expect(await running).toBe(answer);
});

test('one line a second runs in a process that is always busy', async () => {
  const { line, client, isBusy, pass, hold, free } = setUp();
  const end = hold();
  const running = client();
  free();
  isBusy(1);
  for (let second = 0; second < 3; second += 1) {
    pass(999);
    await expect(line()).rejects.toMatchObject(refused);
    pass(1);
    expect(await line()).toBe(answer);
    await expect(line()).rejects.toMatchObject(refused);
  }
  end();
  await running;
});
