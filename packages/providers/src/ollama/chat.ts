import { openAiCompatible } from '../openai-compatible/chat.ts';

/** A server people run themselves. */
export const ollama = openAiCompatible({
  id: 'ollama',
  baseUrl: 'http://127.0.0.1:11434/v1',
  keyVariable: 'OLLAMA',
  auth: { kind: 'bearer', optional: true },
  images: 'inline',
  maxChoices: 1,
  quirks: {
    // Any other choice of tools would be ignored.
    request: { rename: { max_completion_tokens: 'max_tokens' }, toolChoices: ['auto'] },
  },
});
