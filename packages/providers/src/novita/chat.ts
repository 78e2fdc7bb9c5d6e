import { openAiCompatible } from '../openai-compatible/chat.ts';

export const novita = openAiCompatible({
  id: 'novita',
  baseUrl: 'https://api.novita.ai/openai',
  keyVariable: 'NOVITA',
  keyCheckPath: 'none',
  members: ['enable_thinking', 'logit_processor', 'separate_reasoning'],
  quirks: {
    request: { rename: { max_completion_tokens: 'max_tokens' }, refuse: ['web_search_options'] },
    thinkingWithCalls: { as: 'text' },
    // Without this the model writes its thinking into the content.
    requestWhen: [{ when: (_call, offer) => offer.reasoning, add: { separate_reasoning: true } }],
    errors: {
      INVALID_API_KEY: 'key',
      MODEL_NOT_FOUND: 'model',
      NOT_ENOUGH_BALANCE: 'money',
      RATE_LIMIT_EXCEEDED: 'limit',
      SERVICE_NOT_AVAILABLE: 'overload',
    },
  },
});
