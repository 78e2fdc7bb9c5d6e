import { geminiErrors } from '@tallyport/contracts';
import type { Dialect, TokenCount } from '../dialect.ts';
import { toGeminiAnswer } from './answer.ts';
import { modelPath, refuseVerb } from './model-path.ts';
import { readGeminiRequest } from './native.ts';
import { readCountTokensRequest } from './request.ts';
import { createGenerateContentStream } from './stream.ts';

export { type GeminiEmbedding, isGeminiEmbedding, readGeminiEmbedding } from './embeddings.ts';

const streamVerb = 'streamGenerateContent';

/** Google's Gemini API: `POST /v1beta/models/{model}:generateContent` and `:streamGenerateContent`. */
export const geminiDialect: Dialect = {
  name: 'gemini',
  read({ body, bytes, path, query, newId }) {
    const { model, verb } = modelPath(path);
    if (verb !== 'generateContent' && verb !== streamVerb) return refuseVerb(verb);
    const { chat: request, ...either } = readGeminiRequest({ body, bytes }, { model, stream: verb === streamVerb });
    const { chat, includeThoughts } = request;
    const terms = { id: newId(), model, includeThoughts };
    return {
      chat,
      ...either,
      answer: (completion) => toGeminiAnswer(completion, terms),
      stream: () => createGenerateContentStream(terms),
      framing: query.get('alt') === 'sse' ? 'events' : 'array',
    };
  },
  errors: geminiErrors,
};

/** `POST /v1beta/models/{model}:countTokens`. */
export const geminiTokenCount: TokenCount = {
  read: ({ body, path }) => readCountTokensRequest(body, modelPath(path).model),
  answer: (totalTokens) => ({ totalTokens }),
};
