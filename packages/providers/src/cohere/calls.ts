import { openAiCompatible } from '../openai-compatible/chat.ts';

/** Rankings; its chats have a format of their own, which this gateway does not speak. */
export const cohere = openAiCompatible({
  id: 'cohere',
  baseUrl: 'https://api.cohere.com',
  keyVariable: 'COHERE',
  keyCheckPath: '/v1/models',
  chats: 'none',
  rerank: { path: '/v2/rerank', accepts: ['max_tokens_per_doc', 'priority'] },
});
