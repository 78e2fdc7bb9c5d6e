import { openAiCompatible } from '../openai-compatible/chat.ts';

/** A self-hosted server. */
export const ollama = openAiCompatible({
  id: 'ollama',
  baseUrl: 'http://127.0.0.1:11434/v1',
  keyVariable: 'OLLAMA',
  sdkAddsVersion: true,
  auth: { kind: 'bearer', optional: true },
  images: 'inline',
  maxChoices: 1,
  embeddings: { base64: true, dimensions: { name: 'dimensions' } },
  members: ['format', 'keep_alive', 'options', 'think'],
  quirks: {
    request: {
      rename: { max_completion_tokens: 'max_tokens' },
      efforts: 'offered',
      refuse: ['web_search_options'],
      // The server ignores any other tool choice.
      toolChoices: ['auto'],
    },
    thinkingWithCalls: { as: 'text', names: ['reasoning'] },
  },
});
