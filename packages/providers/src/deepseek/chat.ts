import { openAiCompatible } from '../openai-compatible/chat.ts';
import { knownEfforts, thinks } from '../openai-compatible/efforts.ts';

export const deepseek = openAiCompatible({
  id: 'deepseek',
  baseUrl: 'https://api.deepseek.com',
  keyVariable: 'DEEPSEEK',
  maxChoices: 1,
  quirks: {
    request: {
      rename: { max_completion_tokens: 'max_tokens' },
      efforts: {
        ...knownEfforts('high', 'max'),
        xhigh: { reasoning_effort: 'max' },
        none: { thinking: { type: 'disabled' } },
      },
      responseFormats: ['json_object'],
    },
    // Thinking, it ignores sampling hints, and answers an error to logprobs.
    requestWhen: [{ when: thinks, refuse: ['logprobs', 'top_logprobs'] }],
    keepInTurn: ['reasoning_content'],
    finishReasons: { insufficient_system_resource: 'fault' },
  },
});
