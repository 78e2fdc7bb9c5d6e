import { openAiCompatible } from '../openai-compatible/chat.ts';

/** A self-hosted server. How it was started decides whether it writes thinking into the content. */
export const vllm = openAiCompatible({
  id: 'vllm',
  baseUrl: 'http://127.0.0.1:8000/v1',
  keyVariable: 'VLLM',
  auth: { kind: 'bearer', optional: true },
  embeddings: { base64: true, tokens: true, dimensions: { name: 'dimensions' }, user: true },
  quirks: { request: { refuse: ['web_search_options'] }, thinking: 'tags' },
});
