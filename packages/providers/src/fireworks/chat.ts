import { openAiCompatible } from '../openai-compatible/chat.ts';

export const fireworks = openAiCompatible({
  id: 'fireworks',
  baseUrl: 'https://api.fireworks.ai/inference/v1',
  keyVariable: 'FIREWORKS',
  sdkAddsVersion: true,
  embeddings: { dimensions: { name: 'dimensions' } },
  quirks: {
    request: { rename: { max_completion_tokens: 'max_tokens' }, mostStops: 4, refuse: ['web_search_options'] },
  },
});
