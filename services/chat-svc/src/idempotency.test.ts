import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { type AskOptions, type Answered, type ChatBench, eventsIn, startChatBench } from './testing/chat-bench.ts';

let bench: ChatBench;
beforeAll(async () => {
  bench = await startChatBench({ chunksPerSecond: 200 });
});
afterEach(() => bench.simulator.reset());
afterAll(() => bench.close());

let asked = 0;
const principal = { accountId: 'account', keyId: 'key' };
const newKey = (): string => `key-${(asked += 1)}`;
const chat = (changes: object = {}) => ({
  model: 'sandbox-chat',
  messages: [{ role: 'user', content: 'Hello there' }],
  ...changes,
});
const ask = (body: object, key: string, { headers, ...options }: AskOptions = {}): Promise<Answered> =>
  bench.ask(body, { principal, ...options, headers: { 'idempotency-key': key, ...headers } });
const calls = (): number => bench.simulator.requests.length;
const wordOf = ({ headers }: Answered): string | undefined => headers['x-switchyard-idempotency'];

describe('a request that is sent again', () => {
  test('gets the very same answer without another call', async () => {
    const key = newKey();
    const first = await ask(chat(), key);
    const again = await ask(chat(), key);
    expect([wordOf(first), wordOf(again), calls()]).toEqual(['new', 'replayed', 1]);
    expect(again.text).toBe(first.text);
    expect({ ...again.headers, 'x-switchyard-idempotency': 'new' }).toEqual(first.headers);
  });

  test('six at once make one call', async () => {
    const key = newKey();
    const answers = await Promise.all(Array.from({ length: 6 }, () => ask(chat(), key)));
    expect(calls()).toBe(1);
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
    expect(answers.map(wordOf).toSorted()).toEqual(['new', ...Array.from({ length: 5 }, () => 'replayed')]);
  });

  test('a stream gets the same events, with ids', async () => {
    const key = newKey();
    const first = await ask(chat({ stream: true }), key);
    const again = await ask(chat({ stream: true }), key);
    expect(again.text).toBe(first.text);
    expect(calls()).toBe(1);
    const ids = eventsIn(first.text).map((event) => Number(/^id: (\d+)\ndata: /.exec(event)?.[1]));
    expect(ids).toEqual(ids.map((_, at) => at + 1));
    expect(first.text.endsWith('data: [DONE]\n\n')).toBe(true);
  });
});
