import { GatewayError } from '@tallyport/contracts';
import { expect, onTestFinished, test, vi } from 'vitest';
import { AnswerMemory } from './answer-memory.ts';
import type { AnswerRoom } from './answer-room.ts';

const signal = new AbortController().signal;

function memoryOf(limit: number, longestWaitMs = 10_000) {
  return new AnswerMemory({ limit, setting: 'ANSWER_BYTES', longestWaitMs });
}

/** Takes bytes, and notes in `log` once the room has them. */
async function taking(room: AnswerRoom, bytes: number, { log, name }: { log: string[]; name: string }): Promise<void> {
  await room.take(bytes);
  log.push(name);
}

/** Lets everything happen that waits for nothing else. */
const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

test('counts up to the limit at once; one byte more waits until there is room', async () => {
  const memory = memoryOf(100);
  const [first, second, third] = [memory.open(signal), memory.open(signal), memory.open(signal)];
  expect([first.take(60), second.take(40), memory.held()]).toEqual([undefined, undefined, 100]);
  const waiting = third.take(1);
  expect(waiting).toBeInstanceOf(Promise);
  await turn();
  expect(memory.held()).toBe(100);
  second.release();
  await waiting;
  expect({ held: memory.held(), third: third.held }).toEqual({ held: 61, third: 1 });
  first.release();
  third.release();
  expect(memory.held()).toBe(0);
});

test('reads the oldest answers first, whenever they began to wait', async () => {
  const memory = memoryOf(100);
  const log: string[] = [];
  const [full, oldest, middle, youngest] = [1, 2, 3, 4].map(() => memory.open(signal));
  full?.add(100);
  for (const [name, room] of Object.entries({ youngest, middle, oldest })) void taking(room!, 50, { log, name });
  full?.release();
  await turn();
  expect(log).toEqual(['oldest', 'middle']);
  middle?.release();
  await turn();
  expect(log).toEqual(['oldest', 'middle', 'youngest']);
});

test('a small answer waits behind an older large one, so that the large one is read at all', async () => {
  const memory = memoryOf(100);
  const log: string[] = [];
  const [full, large, small] = [memory.open(signal), memory.open(signal), memory.open(signal)];
  full.add(50);
  void taking(large, 80, { log, name: 'large' });
  void taking(small, 10, { log, name: 'small' });
  await turn();
  expect(log).toEqual([]);
  full.release();
  await turn();
  expect({ log, held: memory.held() }).toEqual({ log: ['large', 'small'], held: 90 });
});

test('when all wait for each other, the oldest is read above the limit, and then the next', async () => {
  const memory = memoryOf(100);
  const log: string[] = [];
  const [oldest, youngest] = [memory.open(signal), memory.open(signal)];
  for (const room of [oldest, youngest]) expect(room.take(50)).toBeUndefined();
  void taking(youngest, 30, { log, name: 'youngest' });
  await turn();
  expect(log).toEqual([]);
  void taking(oldest, 30, { log, name: 'oldest' });
  await turn();
  expect({ log, held: memory.held() }).toEqual({ log: ['oldest'], held: 130 });
  oldest.release();
  await turn();
  expect({ log, held: memory.held() }).toEqual({ log: ['oldest', 'youngest'], held: 80 });
});

test.each([
  [50, ['oldest']],
  [51, []],
])('what younger answers hold that wait does not keep the oldest one waiting: %i more', async (more, expected) => {
  const memory = memoryOf(100);
  const log: string[] = [];
  const [sent, oldest, youngest] = [memory.open(signal), memory.open(signal), memory.open(signal)];
  for (const [room, bytes] of [
    [sent, 40],
    [oldest, 10],
    [youngest, 50],
  ] as const)
    room.add(bytes);
  void taking(youngest, 10, { log, name: 'youngest' });
  void taking(oldest, more, { log, name: 'oldest' });
  await turn();
  expect({ log, held: memory.held() }).toEqual({ log: expected, held: 100 + (expected.length && more) });
  oldest.release();
  youngest.release();
});

test('a single answer is never too large', () => {
  const memory = memoryOf(100);
  const room = memory.open(signal);
  expect([room.take(100), memory.held()]).toEqual([undefined, 100]);
  void room.take(1);
  expect(memory.held()).toBe(101);
});

test('an answer that waits too long in total fails with what to do, and the next one may go on', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
  onTestFinished(() => void vi.useRealTimers());
  const memory = memoryOf(100, 50);
  const log: string[] = [];
  const [full, freed, late, next] = [
    memory.open(signal),
    memory.open(signal),
    memory.open(signal),
    memory.open(signal),
  ];
  full.add(60);
  freed.add(40);
  void taking(late, 40, { log, name: 'late' });
  await vi.advanceTimersByTimeAsync(30);
  freed.release();
  await turn();
  expect(log).toEqual(['late']);
  const failing = Promise.resolve(late.take(1)).catch((thrown: unknown) => thrown);
  void failing.then(() => log.push('failed'));
  void taking(next, 40, { log, name: 'next' });
  await vi.advanceTimersByTimeAsync(19);
  expect(log).toEqual(['late']);
  await vi.advanceTimersByTimeAsync(1);
  expect(log).toEqual(['late', 'failed']);
  const failure = await failing;
  expect(failure).toBeInstanceOf(GatewayError);
  expect(failure).toMatchObject({ code: 'unavailable', status: 503, domain: 'gateway', retryAfterMs: 60_000 });
  expect((failure as GatewayError).message).toContain('ANSWER_BYTES');
  late.release();
  await turn();
  expect({ log, held: memory.held() }).toEqual({ log: ['late', 'failed', 'next'], held: 100 });
});

test.each(['released', 'left'])('an answer that is %s no longer waits, and holds nothing', async (end) => {
  const memory = memoryOf(100);
  const client = new AbortController();
  const [full, leaving, staying] = [memory.open(signal), memory.open(client.signal), memory.open(signal)];
  full.add(60);
  expect(leaving.take(30)).toBeUndefined();
  const waits = [leaving.take(50), leaving.take(20)];
  const log: string[] = [];
  void taking(staying, 40, { log, name: 'staying' });
  if (end === 'left') client.abort();
  else leaving.release();
  for (const wait of waits) await wait;
  await turn();
  expect({ log, held: memory.held() }).toEqual({ log: ['staying'], held: 100 });
  leaving.add(10);
  expect([leaving.take(10), memory.held()]).toEqual([undefined, 100]);
});

test('an answer of a client that has left before counts nothing', () => {
  const memory = memoryOf(100);
  const room = memory.open(AbortSignal.abort());
  room.add(10);
  expect([room.take(200), memory.held()]).toEqual([undefined, 0]);
});

test('an answer that is handed over is counted until the next turn of the event loop', async () => {
  const memory = memoryOf(100);
  const [read, sent, waiting] = [memory.open(signal), memory.open(signal), memory.open(signal)];
  const log: string[] = [];
  read.add(90);
  void taking(waiting, 20, { log, name: 'waiting' });
  read.handOver();
  expect(memory.held()).toBe(90);
  await Promise.resolve();
  sent.add(90);
  await turn();
  expect({ log, held: memory.held() }).toEqual({ log: [], held: 90 });
  sent.release();
  await turn();
  expect({ log, held: memory.held() }).toEqual({ log: ['waiting'], held: 20 });
});

test('a wait that has timed out does not keep younger answers waiting', async () => {
  const memory = memoryOf(100, 20);
  const [full, large, small] = [memory.open(signal), memory.open(signal), memory.open(signal)];
  full.add(60);
  const failing = Promise.resolve(large.take(50)).catch((thrown: unknown) => thrown);
  const waiting = small.take(40);
  expect(await failing).toMatchObject({ code: 'unavailable' });
  await waiting;
  expect(memory.held()).toBe(100);
});
