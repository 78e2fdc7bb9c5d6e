import { openAiCompatible } from '../openai-compatible/chat.ts';
import { thinks } from '../openai-compatible/efforts.ts';
import type { Quirks } from '../openai-compatible/quirks.ts';

/** What OpenAI's own models want, whoever serves them. */
export const openaiQuirks: Quirks = {
  developerRole: 'kept',
  // The old name is refused by reasoning models; the new one is understood by all.
  request: { rename: { max_tokens: 'max_completion_tokens' } },
  requestWhen: [
    {
      // Reasoning models refuse sampling hints, unless asked not to reason.
      when: thinks,
      drop: ['temperature', 'top_p', 'presence_penalty', 'frequency_penalty', 'logprobs', 'top_logprobs', 'logit_bias'],
    },
  ],
};

export const openai = openAiCompatible({
  id: 'openai',
  baseUrl: 'https://api.openai.com/v1',
  keyVariable: 'OPENAI',
  quirks: openaiQuirks,
});
