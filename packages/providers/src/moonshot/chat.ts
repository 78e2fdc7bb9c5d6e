import { openAiCompatible } from '../openai-compatible/chat.ts';
import { modelRules } from './model-rules.ts';

export const moonshot = openAiCompatible({
  id: 'moonshot',
  baseUrl: 'https://api.moonshot.ai/v1',
  keyVariable: 'MOONSHOT',
  maxChoices: 1,
  members: ['partial', 'thinking'],
  quirks: {
    request: {
      rename: { max_completion_tokens: 'max_tokens' },
      efforts: {},
      refuse: ['web_search_options'],
      mostStops: 5,
    },
    requestWhen: modelRules,
    keepInTurn: ['reasoning_content'],
    thinkingWithCalls: true,
    errors: {
      content_filter: 'policy',
      invalid_authentication_error: 'key',
      exceeded_current_quota_error: 'money',
      engine_overloaded_error: 'overload',
      rate_limit_reached_error: 'limit',
    },
  },
});
