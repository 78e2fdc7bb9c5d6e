import type { ContentPart, Guardrails, KeptContent, Principal } from '@tallyport/contracts';
import { sharedModel } from '@tallyport/simulator';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { ChatBench } from '../testing/chat-bench.ts';
import { askInLane, type DialectLane, laneWith, startLanes } from '../testing/dialect-lanes.ts';

const vendors = {
  shared: { provider: 'sandbox-a', vendorModel: sharedModel, isNative: false },
  claude: { provider: 'anthropic', vendorModel: 'claude-opus-4-8', isNative: true },
  gpt: { provider: 'openai', vendorModel: 'gpt-6-luna', isNative: true },
  gemini: { provider: 'google', vendorModel: 'gemini-3-flash-preview', isNative: true },
};
const lane = laneWith(vendors);
const lanes: readonly DialectLane[] = [
  lane('messages', 'shared', 'plain'),
  lane('messages', 'shared', 'events'),
  lane('messages', 'claude', 'plain'),
  lane('messages', 'claude', 'events'),
  lane('responses', 'shared', 'plain'),
  lane('responses', 'shared', 'events'),
  lane('responses', 'gpt', 'plain'),
  lane('responses', 'gpt', 'events'),
  lane('generateContent', 'shared', 'plain'),
  lane('generateContent', 'shared', 'events'),
  lane('generateContent', 'gemini', 'plain'),
  lane('generateContent', 'gemini', 'events'),
  lane('interact', 'shared', 'plain'),
  lane('interact', 'shared', 'events'),
  lane('interact', 'gemini', 'plain'),
  lane('interact', 'gemini', 'events'),
];

let bench: ChatBench;
beforeAll(async () => {
  bench = await startLanes(vendors);
});
afterEach(() => {
  bench.simulator.reset();
  bench.contents.length = 0;
});
afterAll(() => bench.close());

const contentLog = { maxBytes: 4_096 };
const caller = (changes: Partial<Principal> = {}): Principal => ({
  accountId: 'account',
  keyId: 'key',
  contentLog,
  ...changes,
});
const chat = (content: unknown, changes: object = {}) => ({
  model: 'shared',
  messages: [{ role: 'user', content }],
  ...changes,
});

/** The content of the only request so far, once it is stored. */
async function kept(): Promise<KeptContent> {
  await expect.poll(() => bench.contents).toHaveLength(1);
  const [content] = bench.contents;
  if (content === undefined) throw new Error('No content was stored.');
  return content;
}
const textIn = (parts: readonly ContentPart[] = []): string => parts.map(({ text = '' }) => text).join('');
const echo = (text: string) => expect.stringContaining(`You said: "${text}"`);

describe.each(lanes)('$name', (asked) => {
  test('prompt and answer have the shape of every API, and the id of the record', async () => {
    const requestId = `req_${asked.name.replaceAll(' ', '_')}`;
    await askInLane(bench, asked, { question: 'Hello there', contentLog, requestId });
    const { id, accountId, content } = await kept();
    expect(content.prompt).toEqual({ parts: [{ role: 'user', kind: 'text', text: 'Hello there' }], cut: false });
    expect([textIn(content.answer?.parts), content.answer?.cut]).toEqual([echo('Hello there'), false]);
    await expect
      .poll(() => bench.usage.find((record) => record.requestId === requestId))
      .toMatchObject({ id, accountId });
  });

  test('what a guardrail removed is in neither of them', async () => {
    const guardrails: Guardrails = {
      request: { detect: { email: 'redact' } },
      answer: { detect: { phone: 'redact' } },
    };
    const question = 'Say ada@example.com and +44 20 7946 0958';
    await askInLane(bench, asked, { question, contentLog, guardrails });
    const { content } = await kept();
    expect(textIn(content.prompt.parts)).toBe('Say [email] and +44 20 7946 0958');
    expect(textIn(content.answer?.parts)).toEqual(echo('Say [email] and [phone]'));
  });

  test('nothing is kept of an account that has not turned it on', async () => {
    await askInLane(bench, asked, { question: 'Not this' });
    await askInLane(bench, asked, { question: 'This', contentLog });
    expect(textIn((await kept()).content.prompt.parts)).toBe('This');
  });
});

test('a prompt and a streamed answer end at the largest size, and are marked', async () => {
  const question = 'x'.repeat(201);
  await bench.ask(chat(question, { stream: true }), { principal: caller({ contentLog: { maxBytes: 200 } }) });
  const { prompt, answer } = (await kept()).content;
  expect([prompt, textIn(answer?.parts).length, answer?.cut]).toEqual([
    { parts: [{ role: 'user', kind: 'text', text: 'x'.repeat(200) }], cut: true },
    200,
    true,
  ]);
});

test('images and audio are kept by type and size', async () => {
  const base64 = Buffer.alloc(1_000).toString('base64');
  const content = [
    { type: 'text', text: 'What is this?' },
    { type: 'image_url', image_url: { url: `data:image/png;base64,${base64}` } },
    { type: 'image_url', image_url: { url: 'https://example.com/?signature=secret' } },
  ];
  await bench.ask({ ...chat(content), model: 'gpt' }, { principal: caller() });
  expect((await kept()).content.prompt.parts).toEqual([
    { role: 'user', kind: 'text', text: 'What is this?' },
    { role: 'user', kind: 'file', mediaType: 'image/png', bytes: 1_000 },
    { role: 'user', kind: 'file' },
  ]);
});

test('a blocked request and a refusal are not kept; a failure keeps the prompt', async () => {
  const guardrails: Guardrails[] = [{ request: { detect: { email: 'block' } } }];
  await bench.ask(chat('Say ada@example.com'), { principal: caller({ guardrails }) });
  bench.simulator.faults.set({ fault: 'status:400' });
  await bench.ask(chat('Refused'), { principal: caller() });
  bench.simulator.faults.set({ fault: 'status:503' });
  await bench.ask(chat('Failed'), { principal: caller() });
  expect((await kept()).content).toEqual({
    prompt: { parts: [{ role: 'user', kind: 'text', text: 'Failed' }], cut: false },
  });
});

test('of a client that leaves, what it got is kept', async () => {
  const leaving = new AbortController();
  bench.simulator.faults.set({ fault: 'endless' });
  const { body } = await bench.open(chat('Go on', { stream: true }), { principal: caller(), signal: leaving.signal });
  for await (const _bytes of body) break;
  leaving.abort();
  const { answer } = (await kept()).content;
  expect(textIn(answer?.parts)).not.toBe('');
});
