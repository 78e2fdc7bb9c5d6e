import { openAiCompatible } from '../openai-compatible/chat.ts';

export const jina = openAiCompatible({
  id: 'jina',
  baseUrl: 'https://api.jina.ai/v1',
  keyVariable: 'JINA',
  keyCheckPath: 'none',
  chats: 'none',
  rerank: { accepts: ['truncation'], repeats: true },
});
