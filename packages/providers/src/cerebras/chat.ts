import { openAiCompatible } from '../openai-compatible/chat.ts';
import { knownEfforts } from '../openai-compatible/efforts.ts';
import { foreignExcept } from '../openai-compatible/foreign-members.ts';
import { withStrictSchemas } from './strict-schemas.ts';
import { withThinkingInContent } from './thinking-in-content.ts';

export const cerebras = openAiCompatible({
  id: 'cerebras',
  baseUrl: 'https://api.cerebras.ai/v1',
  keyVariable: 'CEREBRAS',
  sdkAddsVersion: true,
  maxChoices: 1,
  members: ['clear_thinking', 'disable_reasoning', 'min_completion_tokens', 'min_tokens'],
  quirks: {
    request: {
      rename: { max_tokens: 'max_completion_tokens' },
      drop: [
        'audio',
        'frequency_penalty',
        'presence_penalty',
        'logit_bias',
        'prompt_cache_key',
        'prompt_cache_options',
        'prompt_cache_retention',
        'safety_identifier',
        'service_tier',
        'store',
        'verbosity',
        ...foreignExcept('reasoning_format'),
      ],
      refuse: ['modalities', 'moderation', 'web_search_options'],
      mostStops: 4,
      efforts: {},
    },
    requestWhen: [
      { models: /^gpt-oss/, efforts: knownEfforts('low', 'medium', 'high') },
      { when: (_call, offer) => !offer.parallelToolCalls, drop: ['parallel_tool_calls'] },
    ],
    thinkingWithCalls: { as: 'text' },
    message: withThinkingInContent,
    body: withStrictSchemas,
    functions: 'as tools',
    errors: { queue_exceeded: 'overload', wrong_api_key: 'key' },
  },
});
