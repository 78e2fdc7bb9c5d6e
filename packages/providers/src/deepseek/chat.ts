import { openAiCompatible } from '../openai-compatible/chat.ts';
import { knownEfforts, noThinking, thinks } from '../openai-compatible/efforts.ts';
import { lacksThinking } from '../openai-compatible/thinking-memory.ts';

export const deepseek = openAiCompatible({
  id: 'deepseek',
  baseUrl: 'https://api.deepseek.com',
  keyVariable: 'DEEPSEEK',
  maxChoices: 1,
  members: ['thinking'],
  quirks: {
    request: {
      rename: { max_completion_tokens: 'max_tokens' },
      efforts: {
        ...knownEfforts('high', 'max'),
        xhigh: { reasoning_effort: 'max' },
        none: { thinking: { type: 'disabled' } },
      },
      responseFormats: ['json_object'],
      refuse: ['web_search_options'],
      mostStops: 16,
    },
    // While thinking, the vendor ignores sampling hints and refuses logprobs.
    requestWhen: [
      { when: thinks, refuse: ['logprobs', 'top_logprobs'] },
      { when: lacksThinking, ...noThinking },
    ],
    thinkingWithCalls: { as: 'text', required: { ownIds: /^call_\d{1,2}_/, none: '' } },
    finishReasons: { insufficient_system_resource: 'fault' },
  },
});
