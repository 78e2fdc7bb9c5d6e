import { openAiCompatible } from '../openai-compatible/chat.ts';
import { knownEfforts, thinkingSwitch, thinks } from '../openai-compatible/efforts.ts';

const sampling = ['temperature', 'top_p', 'presence_penalty', 'frequency_penalty'];

export const moonshot = openAiCompatible({
  id: 'moonshot',
  baseUrl: 'https://api.moonshot.ai/v1',
  keyVariable: 'MOONSHOT',
  maxChoices: 1,
  quirks: {
    request: { rename: { max_completion_tokens: 'max_tokens' }, efforts: {} },
    requestWhen: [
      // From here on these are fixed, and any other value is refused.
      { models: /^kimi-k(2\.[5-9]|[3-9])/, drop: sampling, efforts: thinkingSwitch },
      { models: /^kimi-k3/, efforts: knownEfforts('low', 'high', 'max') },
      { models: /^(?!kimi-k2\.6|kimi-k2\.7-code|kimi-k3)/, drop: ['thinking.keep'] },
      { when: thinks, toolChoices: ['auto', 'none', 'named'] },
    ],
    keepInTurn: ['reasoning_content'],
    errors: {
      content_filter: 'policy',
      invalid_authentication_error: 'key',
      exceeded_current_quota_error: 'money',
      engine_overloaded_error: 'overload',
      rate_limit_reached_error: 'limit',
    },
  },
});
