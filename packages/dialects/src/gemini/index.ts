import { geminiErrors } from '@tallyport/contracts';
import { answeredModel } from '../answered-model.ts';
import type { Dialect, TokenCount } from '../dialect.ts';
import { ignoredMembers } from '../ignored-members.ts';
import { withCamelNames } from './proto.ts';
import { geminiMembersRead } from './request-schema.ts';
import { toGeminiAnswer } from './answer.ts';
import { geminiMemberNames } from './member-names.ts';
import { modelPath, refuseVerb } from './model-path.ts';
import { readGeminiCount, readGeminiRequest } from './native.ts';
import { createGenerateContentStream } from './stream.ts';

export { camelNamed, namesStoredFile } from './native.ts';
export { geminiEmbeddingNames } from './member-names.ts';
export { isGeminiEmbedding, readGeminiEmbedding } from './embeddings.ts';

const streamVerb = 'streamGenerateContent';

/** Google's Gemini API: `POST /v1beta/models/{model}:generateContent` and `:streamGenerateContent`. */
export const geminiDialect: Dialect = {
  name: 'gemini',
  read({ body, bytes, path, query, newId, ...asked }) {
    const { model, verb } = modelPath(path);
    if (verb !== 'generateContent' && verb !== streamVerb) return refuseVerb(verb);
    const { chat: request, ...either } = readGeminiRequest({ body, bytes }, { model, stream: verb === streamVerb });
    const { chat, includeThoughts } = request;
    const terms = { id: newId(), modelOf: answeredModel(model, asked), includeThoughts };
    return {
      chat,
      ...either,
      ignored: ignoredMembers(withCamelNames(body), geminiMembersRead),
      answer: (completion) => toGeminiAnswer(completion, terms),
      stream: () => createGenerateContentStream(terms),
      framing: query.get('alt') === 'sse' ? 'events' : 'array',
    };
  },
  errors: geminiErrors,
  memberNames: geminiMemberNames,
};

/** `POST /v1beta/models/{model}:countTokens`. */
export const geminiTokenCount: TokenCount = {
  name: geminiDialect.name,
  read({ body, bytes, path }) {
    const { chat, ...either } = readGeminiCount({ body, bytes }, modelPath(path).model);
    return { ...either, chat: chat.chat };
  },
  answer: (totalTokens) => ({ totalTokens }),
  memberNames: geminiMemberNames,
};
