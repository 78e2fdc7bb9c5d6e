import { openAiCompatible } from '../openai-compatible/chat.ts';
import { thinkingSwitch } from '../openai-compatible/efforts.ts';

export const bytedance = openAiCompatible({
  id: 'bytedance',
  baseUrl: 'https://ark.ap-southeast.bytepluses.com/api/v3',
  keyVariable: 'ARK',
  members: ['caching', 'max_thinking_length', 'repetition_penalty', 'thinking'],
  quirks: {
    request: {
      rename: { max_completion_tokens: 'max_tokens' },
      efforts: thinkingSwitch,
      refuse: ['web_search_options'],
      mostStops: 4,
    },
    errors: {
      AuthenticationError: 'key',
      InvalidParameter: 'parameters',
      ModelNotOpen: 'model',
      InvalidEndpointOrModel: 'model',
      SensitiveContentDetected: 'policy',
      InputTextSensitiveContentDetected: 'policy',
      InputImageSensitiveContentDetected: 'policy',
      OutputImageSensitiveContentDetected: 'policy',
      OutputTextSensitiveContentDetected: 'policy',
      RateLimitExceeded: 'limit',
      QuotaExceeded: 'limit',
      ServerOverloaded: 'overload',
      InternalServiceError: 'fault',
    },
  },
});
