import type { ChatChunk, ChunkChoice } from '@tallyport/wire';
import { expect, test } from 'vitest';
import { fold } from './fold.ts';

const chunk = (choices: ChunkChoice[], rest: Partial<ChatChunk> = {}): ChatChunk => ({
  id: 'a',
  object: 'chat.completion.chunk',
  created: 1,
  model: 'm',
  choices,
  ...rest,
});
const said = (delta: ChunkChoice['delta'], rest: Partial<ChunkChoice> = {}): ChunkChoice => ({
  index: 0,
  delta,
  finish_reason: null,
  ...rest,
});
const logprob = (token: string) => ({ token, logprob: -1, bytes: null, top_logprobs: [] });

test('folds every kind of delta', () => {
  const url = (path: string) => ({
    type: 'url_citation' as const,
    url_citation: { start_index: 0, end_index: 1, title: 't', url: path },
  });
  const image = { type: 'image_url' as const, image_url: { url: 'data:,' } };
  const folded = fold([
    chunk([said({ role: 'assistant', content: '' })]),
    chunk([said({ reasoning_content: 'h' })], { citations: ['u'] }),
    chunk([said({ reasoning_content: 'm', reasoning_details: [1] })]),
    chunk([said({ content: 'a', reasoning_details: [2] }, { logprobs: { content: [logprob('a')], refusal: null } })]),
    chunk([said({ content: 'b', channel: 'final' }, { logprobs: { content: [logprob('b')], refusal: null } })]),
    chunk([said({ images: [image], annotations: [url('x')] })]),
    chunk([said({ images: [image], annotations: [url('y')] })]),
    chunk([said({ audio: { id: 'au', data: 'AA', transcript: 'hel' } })]),
    chunk([said({ audio: { data: 'BB', transcript: 'lo', expires_at: 9 } })]),
    chunk([said({}, { finish_reason: 'stop', stop_reason: 5 })]),
    chunk([], { usage: { prompt_tokens: 1, completion_tokens: 2, total_tokens: 3 } }),
  ]);
  expect(folded).toEqual({
    id: 'a',
    object: 'chat.completion',
    created: 1,
    model: 'm',
    citations: ['u'],
    choices: [
      {
        index: 0,
        finish_reason: 'stop',
        stop_reason: 5,
        logprobs: { content: [logprob('a'), logprob('b')], refusal: null },
        message: {
          role: 'assistant',
          content: 'ab',
          refusal: null,
          reasoning_content: 'hm',
          reasoning_details: [1, 2],
          channel: 'final',
          images: [
            { ...image, index: 0 },
            { ...image, index: 1 },
          ],
          annotations: [url('x'), url('y')],
          audio: { id: 'au', data: 'AABB', transcript: 'hello', expires_at: 9 },
        },
      },
    ],
    usage: { prompt_tokens: 1, completion_tokens: 2, total_tokens: 3 },
  });
});

test('folds function_call of the old form', () => {
  const folded = fold([
    chunk([said({ function_call: { name: 'f', arguments: '{' } })]),
    chunk([said({ function_call: { arguments: '}' } }, { finish_reason: 'function_call' })]),
  ]);
  expect(folded.choices[0]?.message).toEqual({
    role: 'assistant',
    content: null,
    refusal: null,
    function_call: { name: 'f', arguments: '{}' },
  });
});

test('throws for an incomplete answer', () => {
  const cut = expect.objectContaining({ code: 'stream_truncated' });
  expect(() => fold([])).toThrow(cut);
  expect(() => fold([chunk([said({ content: 'a' })])])).toThrow(cut);
});

test('does not change the chunks', () => {
  const chunks = [chunk([said({ list: [1] })]), chunk([said({ list: [2] }, { finish_reason: 'stop' })])];
  const before = structuredClone(chunks);
  fold(chunks);
  expect(chunks).toEqual(before);
});
