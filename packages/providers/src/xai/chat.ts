import { openAiCompatible } from '../openai-compatible/chat.ts';
import { knownEfforts } from '../openai-compatible/efforts.ts';
import { xaiBatches } from './batches.ts';
import { usageWithReasoning } from './usage.ts';

export const xai = openAiCompatible({
  id: 'xai',
  baseUrl: 'https://api.x.ai/v1',
  keyVariable: 'XAI',
  members: ['deferred', 'search_parameters'],
  batches: xaiBatches,
  quirks: {
    request: { efforts: {}, mostStops: 4 },
    requestWhen: [
      {
        when: (_call, offer) => offer.reasoning,
        drop: ['presence_penalty', 'frequency_penalty'],
        refuse: ['stop'],
      },
      { models: /^grok-4\.3/, efforts: knownEfforts('none', 'low', 'medium', 'high') },
    ],
    sources: 'answer',
    usage: usageWithReasoning,
  },
});
