import { messagesErrors } from '@tallyport/contracts';
import type { Dialect, TokenCount } from '../dialect.ts';
import { toMessagesAnswer } from './answer.ts';
import { messagesMemberNames } from './member-names.ts';
import { readMessagesCount, readMessagesRequest } from './native.ts';
import { createMessagesStream } from './stream.ts';

/**
 * Anthropic's Messages API: `POST /v1/messages`. Versions and betas in the headers matter only to Anthropic itself: no
 * value of them makes a request to another provider fail.
 */
export const messagesDialect: Dialect = {
  name: 'anthropic-messages',
  read(request) {
    const read = readMessagesRequest(request);
    const identity = { id: `msg_${request.newId()}`, model: read.chat.model };
    return {
      ...read,
      answer: (completion) => toMessagesAnswer(completion, identity),
      stream: (promptTokens) => createMessagesStream(identity, promptTokens),
    };
  },
  errors: messagesErrors,
  memberNames: messagesMemberNames,
};

/** `POST /v1/messages/count_tokens`. */
export const messagesTokenCount: TokenCount = {
  read: readMessagesCount,
  answer: (tokens) => ({ input_tokens: tokens }),
  memberNames: messagesMemberNames,
};
