import { openAiCompatible } from '../openai-compatible/chat.ts';

export const together = openAiCompatible({
  id: 'together',
  baseUrl: 'https://api.together.xyz/v1',
  keyVariable: 'TOGETHER',
  quirks: {
    request: { rename: { max_completion_tokens: 'max_tokens' } },
    thinking: 'tags',
    errors: { '524': 'timeout' },
  },
});
