import { chatErrors, errorBody } from '@tallyport/contracts';
import { answeredModel } from '../answered-model.ts';
import type { Dialect } from '../dialect.ts';
import { type CompletionIdentity, toTextChunk, toTextCompletion } from './answer.ts';
import { promptRequest } from './request.ts';

/** OpenAI's legacy API, `POST /v1/completions`: the prompt is one message of a user. */
export const openAiCompletions: Dialect = {
  name: 'openai-completions',
  read({ body, now, newId, ...asked }) {
    const chat = promptRequest(body);
    const identity: CompletionIdentity = {
      id: `cmpl-${newId()}`,
      created: now(),
      modelOf: answeredModel(chat.model, asked),
    };
    return {
      chat,
      answer: (completion) => toTextCompletion(completion, identity),
      stream: () => ({
        chunk(chunk) {
          const data = toTextChunk(chunk, identity);
          return data === undefined ? [] : [{ data }];
        },
        end: () => [],
        fail: (error) => [{ data: errorBody(error) }],
      }),
      framing: 'events until done',
    };
  },
  errors: chatErrors,
  memberNames: { max_completion_tokens: ['max_tokens'], messages: ['prompt'] },
};
