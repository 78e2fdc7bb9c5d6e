import { openAiCompatible } from '../openai-compatible/chat.ts';
import { knownEfforts } from '../openai-compatible/efforts.ts';

export const cerebras = openAiCompatible({
  id: 'cerebras',
  baseUrl: 'https://api.cerebras.ai/v1',
  keyVariable: 'CEREBRAS',
  maxChoices: 1,
  quirks: {
    request: {
      rename: { max_tokens: 'max_completion_tokens' },
      drop: ['frequency_penalty', 'presence_penalty', 'logit_bias', 'service_tier'],
      efforts: {},
    },
    requestWhen: [
      { models: /^gpt-oss/, efforts: knownEfforts('low', 'medium', 'high') },
      { when: (_call, offer) => !offer.parallelToolCalls, drop: ['parallel_tool_calls'] },
    ],
    errors: { queue_exceeded: 'overload', wrong_api_key: 'key' },
  },
});
