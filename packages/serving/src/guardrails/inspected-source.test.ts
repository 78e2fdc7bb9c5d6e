import { createTally } from '@tallyport/guardrails';
import { type ChatChunk, type ChunkDelta, chunkEvent } from '@tallyport/wire';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { StreamSource } from '../stream/stream-body.ts';
import { noDecider } from '../testing/no-decider.ts';
import { openWebhookReceiver } from '../testing/webhook-receiver.ts';
import { inspectTexts } from './inspect-texts.ts';
import { inspectedSource } from './inspected-source.ts';

let opened: Awaited<ReturnType<typeof openWebhookReceiver>>;
beforeAll(async () => {
  opened = await openWebhookReceiver();
});
beforeEach(() => {
  opened.receiver.received.length = 0;
  opened.receiver.reply = async () => ({ body: '{"verdict":"allow"}' });
});
afterAll(() => opened.close());

const chunk = (delta: ChunkDelta, finish: 'stop' | null = null): ChatChunk => ({
  id: 'chatcmpl-1',
  object: 'chat.completion.chunk',
  created: 1,
  model: 'm',
  choices: [{ index: 0, delta, finish_reason: finish }],
});
const say = (content: string) => chunk({ content });

/** Reads a stream of these chunks, each arriving by itself, with portions of 200 characters. */
async function read(chunks: readonly ChatChunk[], failure?: Error) {
  const left = { isLeft: false, ended: 0, failure: undefined as unknown };
  const waiting = [...chunks];
  const source: StreamSource = {
    async read() {
      const next = waiting.shift();
      if (next === undefined && failure !== undefined) throw failure;
      return next && [chunkEvent(next)];
    },
    cancel: () => void (left.isLeft = true),
  };
  const tally = createTally();
  const inspected = inspectedSource(source, {
    inspect: inspectTexts(opened.webhooks, noDecider),
    question: {
      head: { requestId: 'req_1', timeoutMs: 1_000, headers: {}, principal: { accountId: 'a', keyId: 'k' } },
      part: 'answer',
      asked: { webhooks: [{ name: 'dlp', onFailure: 'block', timeoutMs: 10_000, portion: 200 }], decisions: [] },
      tally,
      signal: new AbortController().signal,
    },
    onFailure: (thrown) => (left.failure = thrown),
    onEnd: () => (left.ended += 1),
  });
  const sent: unknown[] = [];
  let error: unknown;
  try {
    for (let events = await inspected.read(); events !== undefined; events = await inspected.read()) {
      sent.push(events.map((event) => event.kind === 'chunk' && event.chunk));
    }
  } catch (thrown) {
    error = thrown;
  }
  return { sent, error, findings: tally.findings(), ...left };
}

const asked = () => opened.receiver.received.map(({ body }) => JSON.parse(body));
const hundred = 'x'.repeat(100);

test('text is held back until a portion is decided about, and its end is sent again with the next one', async () => {
  const chunks = [say(hundred), say(hundred.slice(1)), say('y'), say('the rest'), chunk({}, 'stop')];
  const { sent, error, ended } = await read(chunks);
  expect(sent).toEqual([chunks.slice(0, 3), chunks.slice(3)]);
  expect(asked().map(({ texts, before }) => [texts, before])).toEqual([
    [[`${hundred}${hundred.slice(1)}y`], ['']],
    [['the rest'], [`${hundred}${hundred.slice(1)}y`]],
  ]);
  expect([error, ended]).toEqual([undefined, 1]);
});

test('a replaced text is sent where its first piece was', async () => {
  opened.receiver.reply = async () => ({ body: '{"verdict":"redact","texts":["Hello [name]", null]}' });
  const { sent, findings } = await read([
    chunk({ role: 'assistant', content: 'Hello ' }),
    chunk({ reasoning_content: 'Thinking' }),
    say('Ada'),
    chunk({}, 'stop'),
  ]);
  expect(sent).toEqual([
    [
      chunk({ role: 'assistant', content: 'Hello [name]' }),
      chunk({ reasoning_content: 'Thinking' }),
      chunk({}),
      chunk({}, 'stop'),
    ],
  ]);
  expect(findings).toEqual([{ rule: 'webhook:dlp', action: 'redact', count: 1 }]);
});

test('a blocked portion is not sent, and the source is left', async () => {
  opened.receiver.reply = async ({ body }) => ({
    body: JSON.stringify({ verdict: body.includes('secret') ? 'block' : 'allow' }),
  });
  const { sent, error, failure, isLeft, ended } = await read([
    say(hundred),
    say(hundred),
    say('secret'),
    chunk({}, 'stop'),
  ]);
  expect(sent).toEqual([[say(hundred), say(hundred)]]);
  expect(error).toMatchObject({ code: 'guardrail_blocked' });
  expect([failure, isLeft, ended]).toEqual([error, true, 1]);
});

test('the text before a failure of the source is decided about first', async () => {
  const broken = new Error('broken');
  const { sent, error } = await read([say('half of it')], broken);
  expect(sent).toEqual([[say('half of it')]]);
  expect(error).toBe(broken);
  expect(asked()).toMatchObject([{ texts: ['half of it'] }]);
});

test('chunks without texts are sent without a question', async () => {
  expect((await read([chunk({ role: 'assistant' }), chunk({}, 'stop')])).sent).toEqual([
    [chunk({ role: 'assistant' }), chunk({}, 'stop')],
  ]);
  expect(asked()).toEqual([]);
});
