import { messagesErrors } from '@tallyport/contracts';
import type { Dialect, TokenCount } from '../dialect.ts';
import { isPlainObject } from '../plain-object.ts';
import { answeredModel } from '../answered-model.ts';
import { ignoredMembers } from '../ignored-members.ts';
import { messagesMembersRead } from './request-schema.ts';
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
    const identity = { id: `msg_${request.newId()}`, modelOf: answeredModel(read.chat.model, request) };
    return {
      ...read,
      endUser: messagesEndUser(request.body),
      ignored: ignoredMembers(request.body, messagesMembersRead),
      answer: (completion) => toMessagesAnswer(completion, identity),
      stream: (promptTokens) => createMessagesStream(identity, promptTokens),
    };
  },
  errors: messagesErrors,
  memberNames: messagesMemberNames,
};

/** The end user of a message, in full: a chat has a hash of a long one. */
export function messagesEndUser(body: unknown): string | undefined {
  const metadata = isPlainObject(body) ? body.metadata : undefined;
  const user = isPlainObject(metadata) ? metadata.user_id : undefined;
  return typeof user === 'string' ? user : undefined;
}

/** `POST /v1/messages/count_tokens`. */
export const messagesTokenCount: TokenCount = {
  name: messagesDialect.name,
  read: readMessagesCount,
  answer: (tokens) => ({ input_tokens: tokens }),
  memberNames: messagesMemberNames,
};
