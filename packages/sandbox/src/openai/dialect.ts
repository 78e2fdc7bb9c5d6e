import { dataEvent, piece } from '../answer.ts';
import type { FaultDialect } from '../dialect.ts';
import { openAiErrorBody, openAiErrorReply } from './errors.ts';
import { openAiFailure } from './failures.ts';

export const openAiDialect: FaultDialect = {
  failure: (status, options = {}) => openAiErrorReply(openAiFailure(status, options)),
  midStream: [dataEvent('error', openAiErrorBody(openAiFailure(500)))],
  malformed: piece('delta', 'data: {"id":"chatcmpl-sim","choi\n\n'),
  delta: (content) =>
    dataEvent('delta', {
      id: 'chatcmpl-simoversized',
      object: 'chat.completion.chunk',
      created: 0,
      model: 'simulated',
      choices: [{ index: 0, delta: { content }, logprobs: null, finish_reason: null }],
    }),
  comment: piece('comment', ': heartbeat\n\n'),
};
