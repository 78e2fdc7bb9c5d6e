import { GatewayError, responsesErrors, toGatewayError } from '@tallyport/contracts';
import { expect, test } from 'vitest';
import { problemOfAnswer } from './answer-problem.ts';
import type { Question } from './question.ts';

type Case = [name: string, sent: Question, status: number, text: string];

const question = { mark: 'mark-1', stream: false };
const content = 'This is a simulated answer from sandbox-a. You said: "mark-1". The end.';
const completion = (message: object, finish_reason = 'stop') =>
  JSON.stringify({ choices: [{ message, finish_reason }] });
const event = (data: object | string) => `data: ${typeof data === 'string' ? data : JSON.stringify(data)}\n\n`;
const chunk = (delta: object, finish_reason: string | null = null) => event({ choices: [{ delta, finish_reason }] });
const error = (code: string | null) => ({ error: { message: 'Try again.', type: 'api_error', param: null, code } });

const flex = { ...question, kind: 'in the flex tier' } as const;
const flexStream = { ...flex, stream: true };
const messages = { ...question, kind: 'in fast mode' } as const;
const anthropicError = (type: string, message: string) => JSON.stringify({ type: 'error', error: { type, message } });

test.each<Case>([
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
  ['a chat of a kind', flex, 200, completion({ content })],
  ['a chat of a kind that ends with an error', flexStream, 200, chunk({ content }) + event(error('unavailable'))],
  ['an error for a chat of a kind', flex, 503, JSON.stringify(error('unavailable'))],
  [
    'a stream of the Responses API that ends with an error',
    { ...question, kind: 'of GPT with a search', stream: true },
    200,
    responsesErrors.lastEvent(new GatewayError('deadline_exceeded', 'It took too long.')),
  ],
  ['an error in Anthropic’s format', messages, 502, anthropicError('api_error', 'No provider answered.')],
])('accepts %s', (_name, sent, status, text) => {
  expect(problemOfAnswer(sent, { status, text })).toBeUndefined();
});

test.each<[...Case, problem: RegExp]>([
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
  ['an unknown code for a chat of a kind', flex, 502, JSON.stringify(error('oops')), /^an error that is not typed/],
  [
    'a code with another status for a chat of a kind',
    flex,
    500,
    JSON.stringify(error('unavailable')),
    /^unavailable with the status 500/,
  ],
  ['a fault of ours in a chat of a kind', flexStream, 200, event(error('internal_error')), /^internal_error/],
  ['a stream of a kind without an end', flexStream, 200, chunk({ content }), /^an error that is not typed/],
  ['a fault of ours in Anthropic’s format', messages, 500, anthropicError('api_error', 'Oops.'), /^internal_error/],
  [
    'a late fault of ours in Anthropic’s format',
    { ...messages, stream: true },
    200,
    `event: error\ndata: ${anthropicError('api_error', toGatewayError(undefined).message)}\n\n`,
    /^internal_error/,
  ],
  [
    'a late fault of ours in Google’s format',
    { ...question, kind: 'of Gemini in the flex tier', stream: true },
    200,
    event({ error: { code: 500, message: 'Oops.', status: 'INTERNAL' } }),
    /^internal_error/,
  ],
  ['a message without an end', messages, 200, '{"content":[', /^no end/],
])('reports %s', (_name, sent, status, text, problem) => {
  expect(problemOfAnswer(sent, { status, text })).toMatch(problem);
});
