import type { Offer } from '@tallyport/contracts';
import type { ChatMessage } from '@tallyport/wire';
import { isCaller } from '../conversation/calls.ts';
import { openAiCompatible } from '../openai-compatible/chat.ts';
import { modelRules, thinkers } from './model-rules.ts';

/** An empty text counts as missing. */
const noThought = 'The thinking before this call is not available.';

/** Models that cannot stop thinking get a note in place of lost thinking, because they refuse calls without any. */
function withPlaceholder(message: ChatMessage, { modelName }: Offer): ChatMessage {
  if (!isCaller(message) || message.reasoning_content != null || !/thinking/.test(modelName)) return message;
  return { ...message, reasoning_content: noThought };
}

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
    thinkingWithCalls: { as: 'text', required: { models: thinkers, ownIds: /:\d+$/, none: noThought } },
    message: withPlaceholder,
    errors: {
      content_filter: 'policy',
      invalid_authentication_error: 'key',
      exceeded_current_quota_error: 'money',
      engine_overloaded_error: 'overload',
      rate_limit_reached_error: 'limit',
    },
  },
});
