import { openAiCompatible } from '../openai-compatible/chat.ts';
import { knownEfforts, noThinking, thinkingSwitch, thinks } from '../openai-compatible/efforts.ts';
import { lacksThinking } from '../openai-compatible/thinking-memory.ts';

/** From these on sampling is fixed, and any other value is refused. */
const newer = /^kimi-k(2\.[5-9]|[3-9])/;
const sampling = ['temperature', 'top_p', 'presence_penalty', 'frequency_penalty'];

export const moonshot = openAiCompatible({
  id: 'moonshot',
  baseUrl: 'https://api.moonshot.ai/v1',
  keyVariable: 'MOONSHOT',
  maxChoices: 1,
  quirks: {
    request: { rename: { max_completion_tokens: 'max_tokens' }, efforts: {} },
    requestWhen: [
      { models: newer, drop: sampling, efforts: thinkingSwitch },
      { models: /^kimi-k3/, efforts: knownEfforts('low', 'high', 'max') },
      { models: /^(?!kimi-k2\.6|kimi-k2\.7-code|kimi-k3)/, drop: ['thinking.keep'] },
      // Without what it thought the rest of the turn is possible only without thinking.
      { models: newer, when: lacksThinking, ...noThinking },
      { when: thinks, toolChoices: ['auto', 'none', 'named'] },
    ],
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
