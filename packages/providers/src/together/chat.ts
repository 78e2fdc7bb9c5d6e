import { openAiCompatible } from '../openai-compatible/chat.ts';

export const together = openAiCompatible({
  id: 'together',
  baseUrl: 'https://api.together.xyz/v1',
  keyVariable: 'TOGETHER',
  embeddings: {},
  rerank: { repeats: true },
  transcriptions: { rules: [{ formats: ['json', 'verbose_json'], fields: [] }] },
  speech: { formats: { mp3: 'mp3', wav: 'wav' }, accepts: [] },
  members: ['chat_template_kwargs', 'compliance', 'context_length_exceeded_behavior', 'echo', 'safety_model'],
  quirks: {
    request: { rename: { max_completion_tokens: 'max_tokens' }, refuse: ['web_search_options'] },
    thinking: 'tags',
    thinkingWithCalls: { as: 'text' },
    errors: { '524': 'timeout' },
  },
});
