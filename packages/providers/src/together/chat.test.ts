import fc from 'fast-check';
import { expect, test } from 'vitest';
import { delta, vendorOf } from '../testing/openai-vendor.ts';
import { together } from './chat.ts';

const { folded, chunks, choice, failure } = vendorOf(together);

test('extracts thinking from the content', () => {
  const message = { content: 'Hello', reasoning_content: 'hm\n' };
  expect(choice({ content: '<think>\nhm\n</think>\n\nHello' })?.message).toMatchObject(message);
  const pieces = ['<th', 'ink>\nh', 'm\n</thi', 'nk>', '\n\n', 'Hel', 'lo'];
  expect(folded(...pieces.map((content) => delta({ content })), delta({}, 'stop')).choices[0]?.message).toMatchObject(
    message,
  );
});

test('gives the same result for any split of a stream', () => {
  const pieces = fc.array(fc.constantFrom('<think>', '</think>', '<th', 'ink>', '</', ' ', '\n', 'a', '🌍'), {
    maxLength: 10,
  });
  fc.assert(
    fc.property(pieces, (texts) => {
      const whole = choice({ content: texts.join('') })?.message;
      const streamed = folded(...texts.map((content) => delta({ content })), delta({}, 'stop'));
      expect(streamed.choices[0]?.message).toEqual(whole);
    }),
    { numRuns: 1_000 },
  );
});

test('separates the thinking of each choice', () => {
  const said = (index: number, content: string, finish: string | null = null) => ({
    choices: [{ index, delta: { content }, finish_reason: finish }],
  });
  const whole = folded(said(0, '<think>a'), said(1, 'b'), said(0, '</think>c', 'stop'), said(1, 'd', 'stop'));
  expect(whole.choices.map(({ message }) => [message.content, message.reasoning_content])).toEqual([
    ['c', 'a'],
    ['bd', undefined],
  ]);
});

test('returns an incomplete tag as content', () => {
  expect(chunks(delta({ content: '<thi' }), delta({}, 'stop')).map((chunk) => chunk.choices[0]?.delta)).toEqual([
    { role: 'assistant', content: '' },
    { content: '<thi' },
    {},
  ]);
});

test('does not forward texts unparsed, because they depend on each other', () => {
  expect(together.textDeltasAreIndependent).toBe(false);
});

test('reads reasoning, eos, the seed of a choice and the prompt', () => {
  const whole = folded(delta({ reasoning: 'hm' }), {
    choices: [{ index: 0, delta: { content: 'x' }, finish_reason: 'eos', seed: 7 }],
    prompt: [],
  });
  expect(whole).toMatchObject({
    prompt: [],
    choices: [{ finish_reason: 'stop', seed: 7, message: { content: 'x', reasoning_content: 'hm' } }],
  });
});

test.each([503, 524])('status %i is a fault of the provider', (status) => {
  expect(
    failure(status, { id: 'a', error: { message: 'overloaded', type: null, param: null, code: null } }),
  ).toMatchObject({ domain: 'provider' });
});
