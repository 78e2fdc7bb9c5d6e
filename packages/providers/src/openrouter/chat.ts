import { openAiCompatible } from '../openai-compatible/chat.ts';

export const openrouter = openAiCompatible({
  id: 'openrouter',
  baseUrl: 'https://openrouter.ai/api/v1',
  keyVariable: 'OPENROUTER',
  maxChoices: 1,
  quirks: {
    request: { rename: { max_completion_tokens: 'max_tokens' } },
    keepOwn: ['reasoning', 'image_config'],
    keepInMessages: ['reasoning_details'],
    usage: (usage, { cost }) => (typeof cost === 'number' ? { ...usage, cost } : usage),
  },
});
