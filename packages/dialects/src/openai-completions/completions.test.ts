import { GatewayError } from '@tallyport/contracts';
import type { ChatChunk, ChatCompletion, ChunkDelta, FinishReason, Usage } from '@tallyport/wire';
import type OpenAI from 'openai';
import { expect, expectTypeOf, test } from 'vitest';
import type { TextCompletion } from './answer-types.ts';
import { openAiCompletions } from './index.ts';

const read = (members: object = {}) =>
  openAiCompletions.read({
    bytes: Buffer.alloc(0),
    body: { model: 'm', prompt: 'Hi', ...members },
    path: '',
    query: new URLSearchParams(),
    headers: {},
    now: () => 1,
    newId: () => '0123',
  });

const usage: Usage = { prompt_tokens: 1, completion_tokens: 2, total_tokens: 3 };
const head = { id: 'cmpl-0123', object: 'text_completion', created: 1, model: 'm' };

test('the prompt is the message of a user, and shared members keep their names', () => {
  const shared = {
    n: 2,
    stop: ['END'],
    stream: true,
    stream_options: { include_usage: true },
    temperature: 0,
    seed: 1,
  };
  const neutral = { echo: false, best_of: 1, logprobs: null, suffix: '' };
  expect(read({ prompt: ['Hi'], max_tokens: 5, ...shared, ...neutral }).chat).toEqual({
    model: 'm',
    messages: [{ role: 'user', content: 'Hi' }],
    max_completion_tokens: 5,
    ...shared,
  });
});

test.each([
  ['prompt', ['One', 'Two']],
  ['prompt', [1, 2]],
  ['prompt', undefined],
  ['suffix', 'end'],
  ['echo', true],
  ['best_of', 2],
  ['logprobs', 0],
  ['max_tokens', 0],
])('%s: %j is refused by name', (param, value) => {
  expect(() => read({ [param]: value })).toThrow(expect.objectContaining({ code: 'invalid_parameters', param }));
});

test('an answer has the texts of all choices', () => {
  const choice = (
    index: number,
    content: string | null,
    finish_reason: FinishReason,
    refusal: string | null = null,
  ) => ({
    index,
    finish_reason,
    logprobs: null,
    message: { role: 'assistant' as const, content, refusal },
  });
  const completion: ChatCompletion = {
    id: 'c',
    object: 'chat.completion',
    created: 9,
    model: 'p/m',
    choices: [choice(0, 'Hello', 'stop'), choice(1, null, 'content_filter', 'I will not.')],
    usage,
  };
  expect(read().answer(completion)).toEqual({
    ...head,
    choices: [
      { index: 0, text: 'Hello', logprobs: null, finish_reason: 'stop' },
      { index: 1, text: 'I will not.', logprobs: null, finish_reason: 'content_filter' },
    ],
    usage,
  });
});

test('a stream has a piece per text, the reason of the end, and the usage if there is any', () => {
  const stream = read().stream();
  const chunk = (delta: ChunkDelta, finish_reason: FinishReason | null = null): ChatChunk => ({
    id: 'c',
    object: 'chat.completion.chunk',
    created: 9,
    model: 'p/m',
    choices: [{ index: 0, delta, finish_reason }],
  });
  const chunks = [
    chunk({ role: 'assistant', content: '' }),
    chunk({ reasoning_content: 'Hmm.' }),
    chunk({ content: 'Hel' }),
    chunk({ content: 'lo' }),
    chunk({}, 'length'),
    { ...chunk({}), choices: [], usage },
  ];
  const text = (said: string, finish_reason: string | null = null) => ({
    data: { ...head, choices: [{ index: 0, text: said, logprobs: null, finish_reason }] },
  });
  expect([...chunks.flatMap((each) => stream.chunk(each)), ...stream.end()]).toEqual([
    text('Hel'),
    text('lo'),
    text('', 'length'),
    { data: { ...head, choices: [], usage } },
  ]);
  expect(stream.fail(new GatewayError('unavailable', 'Gone.'))).toEqual([
    { data: { error: { message: 'Gone.', type: 'api_error', param: null, code: 'unavailable' } } },
  ]);
});

test('an answer is what the vendor’s clients read', () => {
  // The SDK has no null for pieces, which the wire has.
  type Choice = Omit<TextCompletion['choices'][number], 'finish_reason'>;
  expectTypeOf<Choice>().toExtend<Omit<OpenAI.CompletionChoice, 'finish_reason'>>();
  expectTypeOf<Omit<TextCompletion, 'choices' | 'usage'>>().toExtend<Omit<OpenAI.Completion, 'choices' | 'usage'>>();
});
