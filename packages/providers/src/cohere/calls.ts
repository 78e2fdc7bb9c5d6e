import { openAiCompatible } from '../openai-compatible/chat.ts';
import type { ChatProvider } from '../spec/provider.ts';
import { cohereEmbeddings } from './embeddings.ts';

/** Embeddings and rankings; its chats have a format of their own, which this gateway does not speak. */
export const cohere: ChatProvider = {
  ...openAiCompatible({
    id: 'cohere',
    baseUrl: 'https://api.cohere.com',
    keyVariable: 'COHERE',
    keyCheckPath: '/v1/models',
    chats: 'none',
    rerank: { path: '/v2/rerank', accepts: ['max_tokens_per_doc', 'priority'] },
  }),
  embeddings: cohereEmbeddings('cohere'),
};
