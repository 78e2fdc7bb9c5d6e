import { expect, test } from 'vitest';
import { problemOfAnswer } from './answer-problem.ts';

const question = { mark: 'mark-1', stream: false };
const content = 'This is a simulated answer from sandbox-a. You said: "mark-1". The end.';
const completion = (message: object, finish_reason = 'stop') =>
  JSON.stringify({ choices: [{ message, finish_reason }] });
const event = (data: object | string) => `data: ${typeof data === 'string' ? data : JSON.stringify(data)}\n\n`;
const chunk = (delta: object, finish_reason: string | null = null) => event({ choices: [{ delta, finish_reason }] });
const error = (code: string | null) => ({ error: { message: 'Try again.', type: 'api_error', param: null, code } });

test.each([
  ['a complete answer', { ...question }, 200, completion({ content })],
  ['a complete answer with a given number of words', { ...question, words: 12 }, 200, completion({ content })],
  [
    'a complete stream',
    { ...question, stream: true },
    200,
    chunk({ content: content.slice(0, 9) }) +
      chunk({ content: content.slice(9) }) +
      chunk({}, 'stop') +
      event('[DONE]'),
  ],
  [
    'a stream that ends with an error',
    { ...question, stream: true },
    200,
    chunk({ content }) + event(error('unavailable')),
  ],
  ['an error of the table', question, 503, JSON.stringify(error('unavailable'))],
  ['a request that did not arrive in time', question, 408, JSON.stringify(error(null))],
])('accepts %s', (_name, sent, status, text) => {
  expect(problemOfAnswer(sent, { status, text })).toBeUndefined();
});

test.each([
  ['the answer to another question', { ...question, mark: 'mark-2' }, 200, completion({ content }), /^a wrong answer/],
  ['an answer with a word too few', { ...question, words: 13 }, 200, completion({ content }), /^a wrong answer/],
  ['a cut answer', question, 200, completion({ content }, 'length'), /^a wrong answer: length/],
  ['half a completion', question, 200, completion({ content }).slice(0, 40), /^no completion/],
  ['a stream without an end', { ...question, stream: true }, 200, chunk({ content }), /^an error that is not typed/],
  [
    'a stream that lacks a piece',
    { ...question, stream: true },
    200,
    chunk({ content: content.slice(9) }, 'stop') + event('[DONE]'),
    /^a wrong answer: stop/,
  ],
  ['an error that is no JSON', question, 502, 'Bad gateway', /^an error that is not typed: 502/],
  ['an unknown code', question, 502, JSON.stringify(error('oops')), /^an error that is not typed: 502/],
  [
    'a code with another status',
    question,
    500,
    JSON.stringify(error('unavailable')),
    /^unavailable with the status 500/,
  ],
  ['a fault of ours', question, 500, JSON.stringify(error('internal_error')), /^internal_error/],
])('reports %s', (_name, sent, status, text, problem) => {
  expect(problemOfAnswer(sent, { status, text })).toMatch(problem);
});
