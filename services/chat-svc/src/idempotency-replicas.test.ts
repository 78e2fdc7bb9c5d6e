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

let asked = 0;
const newKey = (): string => `key-${(asked += 1)}`;
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
const wordOf = ({ headers }: ClientAnswer): string | undefined => headers['x-switchyard-idempotency'];

test('six at once over two replicas make one call', async () => {
  const key = newKey();
  const answers = await Promise.all([0, 1, 0, 1, 0, 1].map((index) => ask(index, chat(), options(key))));
  expect(replicas.calls()).toBe(1);
  expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
  expect(answers.map(wordOf).toSorted()).toEqual(['new', ...Array.from({ length: 5 }, () => 'replayed')]);
});

test('another request with the key is refused on the other replica too', async () => {
  const key = newKey();
  await ask(0, chat(), options(key));
  expect((await ask(1, chat({ temperature: 0 }), options(key))).error?.code).toBe('idempotency_conflict');
});

test('a client that left a stream goes on at the other replica, while it is made', async () => {
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

/** One command, as an administrator would type it. */
function tell(command: string): Promise<Buffer | undefined> {
  const { hostname, port } = new URL(replicas.redis.url);
  return firstAnswer(hostname, Number(port), `${command}\r\n`);
}

describe('what is kept for a key', () => {
  const isPiece = "string.find(key, ':0$')";
  test.each([
    ['evicted', "redis.call('DEL', key)"],
    ['replaced', "redis.call('SET', key, 'something else')"],
    ['cut off', "redis.call('SET', key, string.sub(redis.call('GET', key), 1, -9))"],
    ['kept without its answer', `if ${isPiece} then redis.call('DEL', key) end`],
    ['kept with an answer that was cut off', `if ${isPiece} then redis.call('SETRANGE', key, 0, 'xx') end`],
  ])('and is %s is made anew, whole, and then given again', async (_, script) => {
    const key = newKey();
    const first = await ask(0, chat(), options(key));
    expect((await ask(1, chat(), options(key))).text).toBe(first.text);
    await tell(`EVAL "for _, key in ipairs(redis.call('KEYS','*once:*')) do ${script} end return 1" 0`);
    const again = await ask(1, chat(), options(key));
    expect([again.status, JSON.parse(again.text).object, replicas.calls()]).toEqual([200, 'chat.completion', 2]);
    expect([(await ask(0, chat(), options(key))).text, replicas.calls()]).toEqual([again.text, 2]);
  });
});

describe('with Redis full', () => {
  const isBack = async () => wordOf(await ask(0, chat(), options(newKey())));

  test('a request is answered, and told that it is not protected', async () => {
    await tell('CONFIG SET maxmemory 1');
    const answer = await ask(0, chat(), options(newKey()));
    await tell('CONFIG SET maxmemory 0');
    expect([answer.status, wordOf(answer)]).toEqual([200, 'unprotected']);
    await expect.poll(isBack, { timeout: 8_000 }).toBe('new');
  });

  test('in the middle of an answer, its client gets all of it, and nobody a part', async () => {
    const key = newKey();
    const body = chat({ stream: true, messages: [{ role: 'user', content: '[words:60]' }] });
    const { body: bytes } = await replicas.benches[0]!.open(body, options(key));
    let text = '';
    for await (const part of bytes) {
      if (text === '') await tell('CONFIG SET maxmemory 1');
      text += Buffer.from(part).toString();
    }
    await tell('CONFIG SET maxmemory 0');
    expect(text.endsWith('data: [DONE]\n\n')).toBe(true);
    await expect.poll(isBack, { timeout: 8_000 }).toBe('new');
    // Where it could not even be said that nothing is kept, the lease has to end first.
    const endings = new Set<string>();
    const ending = async (): Promise<string> => {
      const { text: all, error } = await ask(1, body, options(key));
      const is = all.endsWith('data: [DONE]\n\n') ? 'whole' : (error?.code ?? all);
      endings.add(is);
      return is;
    };
    await expect.poll(ending, { timeout: 15_000 }).toBe('whole');
    expect([...endings].filter((is) => is !== 'whole' && is !== 'stream_truncated')).toEqual([]);
  }, 40_000);
});

test('without Redis a request is answered, and told that it is not protected', async () => {
  const key = newKey();
  await replicas.redis.kill();
  const answers = await Promise.all([0, 0, 0].map((index) => ask(index, chat(), options(key))));
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
  expect([answers.map(wordOf), replicas.calls()]).toEqual([['unprotected', 'replayed', 'replayed'], 1]);
  await replicas.redis.restart();
});
