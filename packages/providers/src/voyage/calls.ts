import { openAiCompatible } from '../openai-compatible/chat.ts';
import type { ChatProvider } from '../spec/provider.ts';
import { voyageEmbeddings } from './embeddings.ts';

export const voyage: ChatProvider = {
  ...openAiCompatible({
    id: 'voyage',
    baseUrl: 'https://api.voyageai.com/v1',
    keyVariable: 'VOYAGE',
    keyCheckPath: 'none',
    chats: 'none',
    rerank: { most: 'top_k', accepts: ['truncation'], mostDocuments: 1_000 },
  }),
  embeddings: voyageEmbeddings('voyage'),
};
