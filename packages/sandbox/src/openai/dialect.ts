import { event, piece } from '../answer.ts';
import type { Dialect } from '../dialect.ts';
import { errorBody, errorReply } from './errors.ts';
import { failureOf } from './failures.ts';

export const openAiDialect: Dialect = {
  failure: (status, options = {}) => errorReply(failureOf(status, options)),
  midStream: [event('error', errorBody(failureOf(500)))],
  malformed: piece('delta', 'data: {"id":"chatcmpl-sim","choi\n\n'),
  delta: (content) =>
    event('delta', {
      id: 'chatcmpl-simoversized',
      object: 'chat.completion.chunk',
      created: 0,
      model: 'simulated',
      choices: [{ index: 0, delta: { content }, logprobs: null, finish_reason: null }],
    }),
  comment: piece('comment', ': heartbeat\n\n'),
};
