import { openAiCompatible } from '../openai-compatible/chat.ts';

export const voyage = openAiCompatible({
  id: 'voyage',
  baseUrl: 'https://api.voyageai.com/v1',
  keyVariable: 'VOYAGE',
  keyCheckPath: 'none',
  chats: 'none',
  rerank: { most: 'top_k', accepts: ['truncation'], mostDocuments: 1_000 },
});
