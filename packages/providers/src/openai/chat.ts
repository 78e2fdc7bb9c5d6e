import { openAiCompatible } from '../openai-compatible/chat.ts';
import type { ChatCall } from '../provider.ts';
import type { Offer } from '@switchyard/contracts';

/** Reasoning models refuse sampling hints, unless asked not to reason. */
const reasons = ({ request }: ChatCall, offer: Offer): boolean =>
  offer.reasoning && (request.reasoning_effort ?? request.reasoning?.effort) !== 'none';

export const openai = openAiCompatible({
  id: 'openai',
  baseUrl: 'https://api.openai.com/v1',
  keyVariable: 'OPENAI',
  quirks: {
    // The old name is refused by reasoning models; the new one is understood by all.
    request: { rename: { max_tokens: 'max_completion_tokens' } },
    requestWhen: [
      {
        when: reasons,
        drop: [
          'temperature',
          'top_p',
          'presence_penalty',
          'frequency_penalty',
          'logprobs',
          'top_logprobs',
          'logit_bias',
        ],
      },
    ],
  },
});
