import { readdirSync, readFileSync } from 'node:fs';
import { createLog } from '@tallyport/service-kit';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type ChatBench, startChatBench } from './testing/chat-bench.ts';
import { findUnknownMembers, warningHeaders } from './unknown-members.ts';

const principal = { accountId: 'acc', keyId: 'key' };
const chat = { model: 'sandbox-chat', messages: [{ role: 'user' as const, content: 'Hello' }] };
const unknownIn = (members: object) => findUnknownMembers({ ...chat, ...members });
const beginning = '299 tallyport "The gateway does not know these members, so they may have no effect: ';
const misspelt = `${beginning}temprature (did you mean temperature?)"`;

describe('a chat with a misspelt member', () => {
  let bench: ChatBench;
  const lines: string[] = [];
  beforeAll(async () => {
    const destination = { write: (line: string) => void lines.push(line) };
    bench = await startChatBench({
      environment: { CACHE_TTL_SECONDS: '60' },
      log: createLog({ service: 'chat-svc', level: 'info', destination }),
    });
  });
  afterAll(() => bench.close());

  const warningOf = async (changes: object, headers: Record<string, string> = {}) => {
    const answer = await bench.ask({ ...chat, ...changes }, { headers, principal });
    return [answer.status, answer.headers['x-tallyport-cache'], answer.headers['warning']];
  };

  test('is answered with a warning that names it, and the log line names it as well', async () => {
    expect(await warningOf({ temprature: 0 }, { 'x-no-cache': 'true' })).toEqual([200, 'BYPASS', misspelt]);
    await expect
      .poll(() => lines.map((line) => JSON.parse(line).unknownMembers).filter(Boolean))
      .toEqual([['temprature']]);
  });

  test('has the warning in a stream and in an answer from the cache', async () => {
    expect(await warningOf({ temprature: 0, stream: true })).toEqual([200, 'MISS', misspelt]);
    expect(await warningOf({ temprature: 0 })).toEqual([200, 'HIT', misspelt]);
    expect(await warningOf({ temprature: 0, stream: true })).toEqual([200, 'HIT', misspelt]);
  });

  test('reaches the provider with that member, and without one there is no warning', async () => {
    bench.simulator.reset();
    await bench.ask({ ...chat, temprature: 1 });
    expect(JSON.parse(String(bench.simulator.requests[0]?.body))).toMatchObject({ temprature: 1 });
    expect(await warningOf({ temperature: 1 })).toEqual([200, 'MISS', undefined]);
  });
});

describe('a chat with a misspelt member where chats are strict', () => {
  let bench: ChatBench;
  beforeAll(async () => {
    bench = await startChatBench({ environment: { CHAT_STRICT: 'true' } });
  });
  afterAll(() => bench.close());

  test.each([
    [
      'one',
      { temprature: 0 },
      'temprature',
      'The gateway does not know this member: temprature (did you mean temperature?). Correct or leave out each of them.',
    ],
    [
      'several',
      { temprature: 0, stream: true, frobnicate: 1 },
      'temprature',
      'The gateway does not know these members: temprature (did you mean temperature?), frobnicate. Correct or leave out each of them.',
    ],
  ])('is refused, and no provider is called: %s', async (_what, members, param, text) => {
    bench.simulator.reset();
    const answer = await bench.ask({ ...chat, ...members }, { principal });
    expect({ status: answer.status, error: answer.error }).toMatchObject({
      status: 400,
      error: { code: 'unsupported_parameter', param, message: text },
    });
    expect(bench.simulator.requests).toEqual([]);
  });

  test('is answered without one, also with members that only vendors know', async () => {
    expect((await bench.ask({ ...chat, top_k: 5 }, { principal })).status).toBe(200);
  });
});

describe('unknown members', () => {
  test.each([
    ['another spelling of a name', 'maxTokens', 'maxTokens (did you mean max_tokens?)'],
    ['a name like none', 'frobnicate', 'frobnicate'],
    ['a short name', 'foo', 'foo'],
    ['quotes and line breaks', 'a"\r\nset-cookie: b', 'a%22%0D%0Aset-cookie%3A%20b'],
    ['other scripts and half a character', 'é\ud800', '%C3%A9%EF%BF%BD'],
    ['a name of JavaScript', 'toString', 'toString'],
  ])('%s: %j', (_what, name, shown) => {
    expect(warningHeaders(unknownIn({ [name]: 1 }))).toEqual({ warning: `${beginning}${shown}"` });
  });

  test('are at most five, each with its first 40 characters', () => {
    const names = Array.from({ length: 1_000 }, (_, place) => `${place}${'x'.repeat(39)}`);
    const shown = names.slice(0, 5).map((name) => name.slice(0, 40));
    expect(unknownIn(Object.fromEntries(names.map((name) => [`_${name}`, 1])))).toEqual(
      shown.map((name) => `_${name}`.slice(0, 40)),
    );
  });
});

describe('no warning is given for', () => {
  test.each([
    'top_k',
    'min_p',
    'usage',
    'provider',
    'plugins',
    'search_domain_filter',
    'structured_outputs',
    'chat_template_kwargs',
    'thinking',
    'enable_thinking',
    'random_seed',
    'extra_body',
    'image_config',
    'reasoning',
  ])('%s, which a vendor or the gateway knows', (name) => {
    expect(unknownIn({ [name]: 1 })).toBeUndefined();
  });

  const folder = new URL('../../../tests/agents/fixtures/', import.meta.url);
  test.each(readdirSync(folder))('what the agent of %s sends', (file) => {
    const { requests } = JSON.parse(readFileSync(new URL(file, folder), 'utf8'));
    const chats = requests.filter(({ path }: { path: string }) => path.startsWith('/v1/chat/completions'));
    expect(chats.map(({ body }: { body: typeof chat }) => findUnknownMembers(body)).filter(Boolean)).toEqual([]);
  });
});
