import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { type AskOptions, type ChatBench, sharedModelEntry, startChatBench } from './testing/chat-bench.ts';

let bench: ChatBench;

beforeAll(async () => {
  bench = await startChatBench({
    catalogue: { version: 'one', models: [sharedModelEntry()] },
    environment: { CACHE_TTL_SECONDS: '60' },
  });
});
afterEach(() => void bench.usage.splice(0));
afterAll(() => bench.close());

const principal = { accountId: 'acc', keyId: 'key' };
const messages = [{ role: 'user', content: 'Hello' }];
const chat = { model: 'shared', messages };
const fresh = { 'x-no-cache': 'true' };

async function endUserOfRecord(send: () => Promise<unknown>): Promise<string | undefined> {
  await send();
  await expect.poll(() => bench.usage.length).toBe(1);
  return bench.usage[0]?.endUser;
}

const asking = (headers: Record<string, string> = {}): AskOptions => ({ principal, headers: { ...fresh, ...headers } });

test.each<[string, () => Promise<unknown>, string | undefined]>([
  ['a chat by its header', () => bench.ask({ ...chat, user: 'bob' }, asking({ 'x-end-user': 'ann' })), 'ann'],
  ['a chat by safety_identifier', () => bench.ask({ ...chat, safety_identifier: 'ann', user: 'bob' }, asking()), 'ann'],
  ['a chat by user', () => bench.ask({ ...chat, user: ' bob ' }, asking()), 'bob'],
  ['no chat that names none', () => bench.ask(chat, asking()), undefined],
  ['a response', () => bench.inApi('responses', { model: 'shared', input: 'Hello', user: 'bob' }, asking()), 'bob'],
  [
    'a message in full',
    () =>
      bench.inApi(
        'messages',
        { model: 'shared', max_tokens: 9, messages, metadata: { user_id: 'b'.repeat(100) } },
        asking(),
      ),
    'b'.repeat(100),
  ],
  [
    'a Gemini request by its header',
    () =>
      bench.inApi(
        'generateContent',
        { contents: [{ role: 'user', parts: [{ text: 'Hello' }] }] },
        { ...asking({ 'x-end-user': 'ann' }), path: 'shared:generateContent' },
      ),
    'ann',
  ],
])('a record names the end user of %s', async (_title, send, expected) => {
  expect(await endUserOfRecord(send)).toBe(expected);
});

test('so do the records of an answer from the cache and of a refusal', async () => {
  await bench.ask({ ...chat, user: 'ann' }, { principal });
  await bench.ask({ ...chat, user: 'bob' }, { principal });
  await expect
    .poll(() => bench.usage.map(({ endUser, cached }) => [endUser, cached]))
    .toEqual([
      ['ann', false],
      ['bob', true],
    ]);
  bench.usage.splice(0);
  await bench.ask({ ...chat, model: 'unknown', user: 'cy' }, asking({ 'x-end-user': 'dee' }));
  await expect
    .poll(() => bench.usage.map(({ endUser, error }) => [endUser, error]))
    .toEqual([['dee', 'model_not_found']]);
});

test('so do the records of requests that are blocked, as each API names it', async () => {
  const guarded = {
    ...asking(),
    principal: { ...principal, guardrails: [{ request: { detect: { email: 'block' as const } } }] },
  };
  const question = [{ role: 'user', content: 'Say ada@example.com' }];
  const named = { model: 'shared', messages: question, metadata: { user_id: 'ann' } };
  expect(await endUserOfRecord(() => bench.inApi('messages', { ...named, max_tokens: 9 }, guarded))).toBe('ann');
  bench.usage.splice(0);
  expect(await endUserOfRecord(() => bench.ask({ ...named, user: 'bob' }, guarded))).toBe('bob');
  bench.usage.splice(0);
  expect(await endUserOfRecord(() => bench.ask(named, guarded))).toBeUndefined();
});

test('a name with hostile characters and one of any length are accepted', async () => {
  expect(await endUserOfRecord(() => bench.ask({ ...chat, user: 'a\0\u202eb' }, asking()))).toBe('ab');
  bench.usage.splice(0);
  const long = await endUserOfRecord(() => bench.ask({ ...chat, user: 'x'.repeat(100_000) }, asking()));
  expect(long).toMatch(/^sha256:[0-9a-f]{64}$/);
});
