import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { firstAnswer } from '../../../tests/support/probe.ts';
import { type AskOptions, type ClientAnswer, eventsIn } from './testing/chat-bench.ts';
import { type ChatReplicas, startChatReplicas } from './testing/replicas.ts';

let replicas: ChatReplicas;
beforeAll(async () => {
  replicas = await startChatReplicas(2, { CHAT_KEEP_ALIVE_MS: '60000' });
});
afterEach(() => replicas.forget());
afterAll(() => replicas.stop());

let sequence = 0;
const newKey = (): string => `key-${(sequence += 1)}`;
const principal = { accountId: 'account', keyId: 'key' };
const chat = (changes: object = {}) => ({
  model: 'sandbox-chat',
  messages: [{ role: 'user', content: 'Hello there' }],
  ...changes,
});
const options = (key: string, headers: Record<string, string> = {}): AskOptions => ({
  principal,
  headers: { 'idempotency-key': key, ...headers },
});
const ask = (index: number, body: object, asking: AskOptions): Promise<ClientAnswer> =>
  replicas.benches[index]!.ask(body, asking);
const wordOf = ({ headers }: ClientAnswer): string | undefined => headers['x-tallyport-idempotency'];

test('six concurrent requests to two replicas make one call', async () => {
  const key = newKey();
  const answers = await Promise.all([0, 1, 0, 1, 0, 1].map((index) => ask(index, chat(), options(key))));
  expect(replicas.calls()).toBe(1);
  expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
  expect(answers.map(wordOf).toSorted()).toEqual(['new', ...Array.from({ length: 5 }, () => 'replayed')]);
});

test('another request with the same key is refused on the other replica too', async () => {
  const key = newKey();
  await ask(0, chat(), options(key));
  expect((await ask(1, chat({ temperature: 0 }), options(key))).error?.code).toBe('idempotency_conflict');
});

test('a client that left a stream resumes at the other replica while it is being made', async () => {
  const key = newKey();
  const body = chat({ stream: true, messages: [{ role: 'user', content: '[words:90]' }] });
  const leaving = new AbortController();
  const first = await replicas.benches[0]!.open(body, { ...options(key), signal: leaving.signal });
  let had = '';
  for await (const bytes of first.body) {
    had += Buffer.from(bytes).toString();
    if (eventsIn(had).length >= 20) break;
  }
  leaving.abort();
  const last = String(eventsIn(had).length);
  const rest = await ask(1, body, options(key, { 'last-event-id': last }));
  expect(wordOf(rest)).toBe('replayed');
  const whole = await ask(1, body, options(key));
  expect(had + rest.text).toBe(whole.text);
  expect([whole.text.endsWith('data: [DONE]\n\n'), replicas.calls()]).toEqual([true, 1]);
});

test('a stream in another API is followed at the other replica while it is being made, with its own ids', async () => {
  const key = newKey();
  const body = { ...chat({ stream: true, messages: [{ role: 'user', content: '[words:90]' }] }), max_tokens: 500 };
  const [first, second] = replicas.benches;
  const running = first!.inApi('messages', body, options(key));
  await expect.poll(replicas.calls, { interval: 5 }).toBe(1);
  const [made, followed] = await Promise.all([running, second!.inApi('messages', body, options(key))]);
  const again = await second!.inApi('messages', body, options(key));
  expect([made, followed, again].map(wordOf)).toEqual(['new', 'replayed', 'replayed']);
  expect([followed.text, again.text]).toEqual([made.text, made.text]);
  expect(made.text).toMatch(/^event: message_start\n[^]*event: message_stop\n.*\n\n$/);
  expect(replicas.calls()).toBe(1);
});

/** Runs one Redis command, as an administrator would. */
function runRedisCommand(command: string): Promise<Buffer | undefined> {
  const { hostname, port } = new URL(replicas.redis.url);
  return firstAnswer(hostname, Number(port), `${command}\r\n`);
}

describe('what is stored for a key', () => {
  const isPiece = "string.find(key, ':0$')";
  test.each([
    ['evicted', "redis.call('DEL', key)"],
    ['replaced', "redis.call('SET', key, 'something else')"],
    ['cut off', "redis.call('SET', key, string.sub(redis.call('GET', key), 1, -9))"],
    ['kept without its answer', `if ${isPiece} then redis.call('DEL', key) end`],
    ['kept with an answer that was cut off', `if ${isPiece} then redis.call('SETRANGE', key, 0, 'xx') end`],
  ])('and is %s is made again, completely, and then replayed', async (_, script) => {
    const key = newKey();
    const first = await ask(0, chat(), options(key));
    expect((await ask(1, chat(), options(key))).text).toBe(first.text);
    await runRedisCommand(`EVAL "for _, key in ipairs(redis.call('KEYS','*once:*')) do ${script} end return 1" 0`);
    const again = await ask(1, chat(), options(key));
    expect([again.status, JSON.parse(again.text).object, replicas.calls()]).toEqual([200, 'chat.completion', 2]);
    expect([(await ask(0, chat(), options(key))).text, replicas.calls()]).toEqual([again.text, 2]);
  });
});

test('a replica that lost its lease does not overwrite the new answer, and replays it', async () => {
  const key = newKey();
  const body = chat({ stream: true, messages: [{ role: 'user', content: '[words:90]' }] });
  const [slow] = replicas.benches;
  for (const provider of slow!.providers) slow!.simulator.faults.set({ provider, fault: 'slow-first-byte:2500' });
  const suspended = ask(0, body, options(key));
  await expect.poll(replicas.calls).toBe(1);
  // The lease ends, as if the replica had been stopped for a long time.
  await runRedisCommand(
    `EVAL "for _, key in ipairs(redis.call('KEYS','*once:*')) do redis.call('DEL', key) end return 1" 0`,
  );
  const other = await ask(1, body, options(key));
  expect([wordOf(other), replicas.calls()]).toEqual(['new', 2]);
  expect((await suspended).status).toBe(200);
  const again = await Promise.all([0, 1, 0].map((index) => ask(index, body, options(key))));
  expect(again.map(({ text }) => text)).toEqual([other.text, other.text, other.text]);
  expect(replicas.calls()).toBe(2);
});

describe('with a full Redis', () => {
  const isBack = async () => wordOf(await ask(0, chat(), options(newKey())));

  test('a request is answered and marked as unprotected', async () => {
    await runRedisCommand('CONFIG SET maxmemory 1');
    const answer = await ask(0, chat(), options(newKey()));
    await runRedisCommand('CONFIG SET maxmemory 0');
    expect([answer.status, wordOf(answer)]).toEqual([200, 'unprotected']);
    await expect.poll(isBack).toBe('new');
  });

  test('if it fills up during an answer, its client gets all of it, and no client gets a part', async () => {
    const key = newKey();
    const body = chat({ stream: true, messages: [{ role: 'user', content: '[words:60]' }] });
    const { body: bytes } = await replicas.benches[0]!.open(body, options(key));
    let text = '';
    for await (const part of bytes) {
      if (text === '') await runRedisCommand('CONFIG SET maxmemory 1');
      text += Buffer.from(part).toString();
    }
    await runRedisCommand('CONFIG SET maxmemory 0');
    expect(text.endsWith('data: [DONE]\n\n')).toBe(true);
    await expect.poll(isBack).toBe('new');
    // If not even `unkept` could be stored, the lease has to expire first.
    const endings = new Set<string>();
    const ending = async (): Promise<string> => {
      const { text: all, error } = await ask(1, body, options(key));
      const is = all.endsWith('data: [DONE]\n\n') ? 'whole' : (error?.code ?? all);
      endings.add(is);
      return is;
    };
    await expect.poll(ending).toBe('whole');
    expect([...endings].filter((is) => is !== 'whole' && is !== 'stream_truncated')).toEqual([]);
  });
});

test('without Redis a request is answered and marked as unprotected', async () => {
  const key = newKey();
  await replicas.redis.kill();
  const answers = await Promise.all([0, 0, 0].map((index) => ask(index, chat(), options(key))));
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
  expect([answers.map(wordOf), replicas.calls()]).toEqual([['unprotected', 'replayed', 'replayed'], 1]);
  const resumed = await ask(0, chat({ stream: true }), options(newKey(), { 'last-event-id': '3' }));
  expect(resumed).toMatchObject({ status: 503, error: { code: 'unavailable', retryAfterMs: 1_000 } });
  await replicas.redis.restart();
});
