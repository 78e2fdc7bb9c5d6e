import type { Guardrails } from '@tallyport/contracts';
import type { ChatChunk, ChunkChoice, ChunkDelta } from '@tallyport/wire';
import { describe, expect, test } from 'vitest';
import { createChunkGuard } from './chunks.ts';
import { compileGuard } from './guard.ts';
import { RuleTime } from './rule-time.ts';
import { createTally } from './tally.ts';

const chunk = (delta: ChunkDelta, choice: Partial<ChunkChoice> = {}): ChatChunk => ({
  id: 'chatcmpl-1',
  object: 'chat.completion.chunk',
  created: 1,
  model: 'm',
  choices: [{ index: 0, delta, finish_reason: null, ...choice }],
});

function guarded(chunks: readonly ChatChunk[], checks: Guardrails['answer'] = {}, time?: RuleTime): ChatChunk[] {
  const { answer } = compileGuard([{ answer: { holdBack: 64, detect: { email: 'redact' }, ...checks } }]);
  if (answer === undefined) throw new Error('no rules');
  const guard = createChunkGuard(answer, { part: 'answer', tally: createTally(), ...(time && { time }) });
  return [...chunks.flatMap((each) => guard.chunk(each)), ...guard.end()];
}

const deltas = (chunks: readonly ChatChunk[]): ChunkDelta[] =>
  chunks.flatMap(({ choices }) => choices.map(({ delta }) => delta));

test('texts keep their order, each with its own matches, and the end comes last', () => {
  const chunks = [
    chunk({ role: 'assistant', content: '' }),
    chunk({ reasoning_content: 'Mail ada@exam' }),
    chunk({ reasoning_content: 'ple.com.' }),
    chunk({ content: 'To: bob@exa' }),
    chunk({ content: 'mple.com' }),
    chunk({ tool_calls: [{ index: 0, id: 'a', type: 'function', function: { name: 'f', arguments: '' } }] }),
    chunk({ tool_calls: [{ index: 0, function: { arguments: '{"to":"eve@' } }] }),
    chunk({ tool_calls: [{ index: 0, function: { arguments: 'example.com"}' } }] }),
    chunk({}, { finish_reason: 'tool_calls' }),
  ];
  expect(deltas(guarded(chunks))).toEqual([
    { role: 'assistant', content: '' },
    { reasoning_content: 'Mail [email].' },
    { content: 'To: [email]' },
    { tool_calls: [{ index: 0, id: 'a', type: 'function', function: { name: 'f', arguments: '' } }] },
    { tool_calls: [{ index: 0, function: { arguments: '{"to":"' } }] },
    { tool_calls: [{ index: 0, function: { arguments: '[email]"}' } }] },
    {},
  ]);
});

const textOf = (chunks: readonly ChatChunk[]): string =>
  deltas(chunks)
    .map(({ content }) => content ?? '')
    .join('');

describe.each<[string, ChunkDelta]>([
  ['thinking', { reasoning_content: 'Hm' }],
  ['a call', { tool_calls: [{ index: 0, id: 'a', type: 'function', function: { name: 'f', arguments: '{}' } }] }],
])('a text that goes on after %s is the same text', (_name, between) => {
  const chunks = (one: string, other: string) => [
    chunk({ content: one }),
    chunk(between),
    chunk({ content: other }, { finish_reason: 'stop' }),
  ];

  test('is redacted', () => {
    expect(textOf(guarded(chunks('To ada@exam', 'ple.com, Bob')))).toBe('To ada@exam[email], Bob');
    expect(textOf(guarded(chunks('To ada@example.co', 'm, Bob')))).toBe('To [email], Bob');
    expect(textOf(guarded(chunks('Hello', ' Ada')))).toBe('Hello Ada');
  });

  test('is blocked', () => {
    const checks = { detect: { email: 'block' as const } };
    expect(() => guarded(chunks('To ada@exam', 'ple.com, Bob'), checks)).toThrow("'email'");
  });
});

test('members that are no growing text are inspected as they are', () => {
  const source = (title: string) => ({
    annotations: [{ type: 'url_citation' as const, url_citation: { url: 'https://a.example/', title } }],
  });
  const chunks = [chunk({ content: 'See a' }), chunk(source('ada@example.com') as ChunkDelta), chunk({ content: '.' })];
  expect(deltas(guarded(chunks))).toEqual([source('[email]'), { content: 'See a.' }]);
});

describe.each(['tool_calls', 'function_call'] as const)('streamed arguments in %s', (member) => {
  const args = (text: string): ChunkDelta =>
    member === 'tool_calls'
      ? { tool_calls: [{ index: 0, function: { arguments: text } }] }
      : { function_call: { arguments: text } };
  const cut = String.raw`{"t":"ada\u0040example.com","u":"project\nfalcon"}`.match(/.{1,3}/g) ?? [];
  const chunks = [...cut.map((piece) => chunk(args(piece))), chunk({}, { finish_reason: 'stop' })];
  const pattern = { name: 'falcon', pattern: String.raw`project\s+falcon` };

  test('are redacted without their escapes', () => {
    const sent = JSON.stringify(deltas(guarded(chunks, { patterns: [{ ...pattern, action: 'redact' }] })));
    const texts = [...sent.matchAll(/"arguments":("(?:[^"\\]|\\.)*")/g)].map(([, text = '""']) => JSON.parse(text));
    expect(texts.join('')).toBe('{"t":"[email]","u":"[falcon]"}');
  });

  test('are blocked without their escapes', () => {
    expect(() => guarded(chunks, { patterns: [{ ...pattern, action: 'block' }] })).toThrow("'falcon'");
    expect(() => guarded(chunks, { detect: { email: 'block' } })).toThrow("'email'");
  });
});

test('choices are independent', () => {
  const chunks = [
    chunk({ content: 'ada@' }),
    chunk({ content: 'bob@' }, { index: 1 }),
    chunk({ content: 'example.com' }),
    chunk({ content: 'example.org' }, { index: 1 }),
    chunk({}, { finish_reason: 'stop' }),
    chunk({}, { index: 1, finish_reason: 'stop' }),
  ];
  const choices = guarded(chunks).flatMap((each) => each.choices);
  expect(choices.map(({ index, delta, finish_reason: reason }) => [index, delta, reason])).toEqual([
    [0, { content: '[email]' }, null],
    [0, {}, 'stop'],
    [1, { content: '[email]' }, null],
    [1, {}, 'stop'],
  ]);
});

test('the text of the last chunk comes before its end; usage, metadata and signatures stay', () => {
  const usage = { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 };
  const finish = { ...chunk({ content: 'ada@example.com' }, { finish_reason: 'stop' }), metadata: { cached: false } };
  const last = { ...chunk({}), choices: [], usage };
  expect(guarded([finish, last] as ChatChunk[])).toEqual([
    chunk({ content: '[email]' }),
    { ...chunk({}, { finish_reason: 'stop' }), metadata: { cached: false } },
    last,
  ]);
  const signed = { type: 'reasoning.text', index: 0, text: '', signature: 's' };
  const thought = { type: 'reasoning.text', index: 0, text: 'ada@example.com' };
  const details = [
    chunk({ reasoning_details: [thought] }),
    chunk({ reasoning_details: [signed] }),
    chunk({ content: 'x' }),
  ];
  expect(deltas(guarded(details))).toEqual([
    { reasoning_details: [{ ...thought, text: '' }] },
    { reasoning_details: [{ ...signed, text: '[email]' }] },
    { content: 'x' },
  ]);
});

test('a stream without an end loses nothing', () => {
  expect(deltas(guarded([chunk({ content: 'Hello' })]))).toEqual([{ content: 'Hello' }]);
});

test('log probabilities are removed', () => {
  const token = { token: 'Hi', logprob: -1, bytes: null, top_logprobs: [] };
  const chunks = [chunk({ content: 'Hi' }, { logprobs: { content: [token], refusal: null }, finish_reason: 'stop' })];
  expect(JSON.stringify(guarded(chunks))).not.toContain('top_logprobs');
});

test('the size of all texts together is limited', () => {
  const chunks = [chunk({ content: '12345' }), chunk({ reasoning_content: '67890' })];
  expect(deltas(guarded(chunks, { maxCharacters: 10 }))).toEqual([
    { content: '12345' },
    { reasoning_content: '67890' },
  ]);
  expect(() => guarded(chunks, { maxCharacters: 9 })).toThrow("'max_characters'");
});

test.each([{ mostMs: 0 }, { mostMs: 60_000, mostAtOnceMs: 0 }])('the time of rules is limited: %j', (limits) => {
  const patterns = [{ name: 'number', pattern: '[a-c]{1,110}[0-9]', action: 'redact' as const }];
  const chunks = [chunk({ content: 'abc1 ada@example.com' })];
  const timed = (onTimeout: 'allow' | 'block') => guarded(chunks, { patterns, onTimeout }, new RuleTime(limits));
  expect(() => timed('block')).toThrow("'time_limit'");
  expect(deltas(timed('allow'))).toEqual([{ content: 'abc1 [email]' }]);
});
