import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { firstAnswer } from '../../../../tests/support/probe.ts';
import type { ClientAnswer, ChatBench } from '../testing/chat-bench.ts';
import { type ChatReplicas, startChatReplicas } from '../testing/replicas.ts';

let replicas: ChatReplicas;
beforeAll(async () => {
  replicas = await startChatReplicas(3, { CACHE_TTL_SECONDS: '60' });
});
afterEach(() => replicas.forget());
afterAll(() => replicas.stop());

let sequence = 0;
const principal = { accountId: 'account', keyId: 'key' };
const newChat = (changes: object = {}) => ({
  model: 'sandbox-chat',
  messages: [{ role: 'user', content: `Question ${(sequence += 1)}` }],
  ...changes,
});
const at = (index: number): ChatBench => replicas.benches[index % replicas.benches.length]!;
const ask = (index: number, body: object): Promise<ClientAnswer> => at(index).ask(body, { principal });
const cacheOf = ({ headers }: ClientAnswer): string | undefined => headers['x-tallyport-cache'];
const statusAndCache = (answer: ClientAnswer) => [answer.status, cacheOf(answer)];

/** Runs one Redis command, as an administrator would. */
function runRedisCommand(command: string): Promise<Buffer | undefined> {
  const { hostname, port } = new URL(replicas.redis.url);
  return firstAnswer(hostname, Number(port), `${command}\r\n`);
}
/** Modifies every stored answer. */
const spoil = (script: string) =>
  runRedisCommand(`EVAL "for _, key in ipairs(redis.call('KEYS','*answer:*')) do ${script} end return 1" 0`);

describe('three replicas', () => {
  test('make one call for a hundred equal questions', async () => {
    const chat = newChat();
    const answers = await Promise.all(Array.from({ length: 100 }, (_, index) => ask(index, chat)));
    expect(replicas.calls()).toBe(1);
    expect(answers.map(cacheOf).filter((cache) => cache === 'MISS')).toHaveLength(1);
    expect(new Set(answers.map(({ text }) => JSON.parse(text).choices[0].message.content)).size).toBe(1);
  });

  test('serve answers made by another replica, in either form', async () => {
    const chat = newChat();
    expect(cacheOf(await ask(0, { ...chat, stream: true }))).toBe('MISS');
    await expect.poll(async () => cacheOf(await ask(1, chat))).toBe('HIT');
    expect([cacheOf(await ask(2, { ...chat, stream: true })), replicas.calls()]).toEqual(['HIT', 1]);
  });

  test('make one call each for equal streams, which do not wait for the end of a stream of another replica', async () => {
    const chat = newChat({ stream: true });
    const answers = await Promise.all([0, 1, 2, 0, 1, 2].map((index) => ask(index, chat)));
    expect([answers.map(cacheOf), replicas.calls()]).toEqual([['MISS', 'MISS', 'MISS', 'HIT', 'HIT', 'HIT'], 3]);
  });
});

describe('a stored answer', () => {
  test.each([
    ['is cut off', `redis.call('SET', key, string.sub(redis.call('GET', key), 1, -9))`],
    ['is changed', `redis.call('SETRANGE', key, 40, 'xx')`],
    ['is replaced', `redis.call('SET', key, 'something else')`],
  ])('that %s is dropped, counted and made again', async (_, script) => {
    const chat = newChat();
    await ask(0, chat);
    expect(cacheOf(await ask(1, chat))).toBe('HIT');
    await spoil(script);
    expect(statusAndCache(await ask(1, chat))).toEqual([200, 'MISS']);
    expect(await at(1).metrics()).toMatch(/gateway_cache_entries_dropped_total [1-9]/);
    await expect.poll(async () => cacheOf(await ask(2, chat))).toBe('HIT');
  });

  test('that was evicted is made again', async () => {
    const chat = newChat();
    await ask(0, chat);
    expect(cacheOf(await ask(1, chat))).toBe('HIT');
    await runRedisCommand('FLUSHALL');
    expect(statusAndCache(await ask(0, chat))).toEqual([200, 'MISS']);
  });
});

describe('Redis', () => {
  test('full: every client is still answered', async () => {
    await runRedisCommand('CONFIG SET maxmemory 1');
    const chat = newChat();
    const answers = [await ask(0, chat), await ask(0, chat)];
    expect(answers.map(statusAndCache)).toEqual([
      [200, 'BYPASS'],
      [200, 'BYPASS'],
    ]);
    await runRedisCommand('CONFIG SET maxmemory 0');
    await expect.poll(async () => cacheOf(await ask(0, chat))).toBe('HIT');
  });

  test('down and back: every client is still answered', async () => {
    const chat = newChat();
    await replicas.redis.kill();
    expect(statusAndCache(await ask(0, chat))).toEqual([200, 'BYPASS']);
    const together = await Promise.all([ask(1, chat), ask(1, chat), ask(1, chat)]);
    expect(together.map(cacheOf)).toEqual(['BYPASS', 'HIT', 'HIT']);
    await replicas.redis.restart();
    await expect.poll(async () => cacheOf(await ask(0, chat))).toBe('HIT');
  });
});
