import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { type AskOptions, type Answered, eventsIn } from './testing/chat-bench.ts';
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
const ask = (index: number, body: object, asking: AskOptions): Promise<Answered> =>
  replicas.benches[index]!.ask(body, asking);
const wordOf = ({ headers }: Answered): string | undefined => headers['x-switchyard-idempotency'];

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

test('without Redis a request is answered, and told that it is not protected', async () => {
  const key = newKey();
  await replicas.redis.kill();
  const answers = await Promise.all([0, 0, 0].map((index) => ask(index, chat(), options(key))));
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
  expect([answers.map(wordOf), replicas.calls()]).toEqual([['unprotected', 'replayed', 'replayed'], 1]);
  await replicas.redis.restart();
});
