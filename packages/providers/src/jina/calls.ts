import { openAiCompatible } from '../openai-compatible/chat.ts';

export const jina = openAiCompatible({
  id: 'jina',
  baseUrl: 'https://api.jina.ai/v1',
  keyVariable: 'JINA',
  keyCheckPath: 'none',
  chats: 'none',
  embeddings: {
    limits: { inputs: 512 },
    dimensions: { name: 'dimensions' },
    inputTypes: {
      name: 'task',
      values: {
        search_document: 'retrieval.passage',
        search_query: 'retrieval.query',
        classification: 'classification',
        clustering: 'separation',
        semantic_similarity: 'text-matching',
      },
    },
    vectorTypes: { name: 'embedding_type', values: ['binary', 'ubinary'] },
    truncation: 'truncate',
  },
  rerank: { accepts: ['truncation'], repeats: true },
});
