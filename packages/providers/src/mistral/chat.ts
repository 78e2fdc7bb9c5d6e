import { openAiCompatible } from '../openai-compatible/chat.ts';
import { knownEfforts, switchedEfforts } from '../openai-compatible/efforts.ts';
import { nineCharacters } from './call-id.ts';
import { knownMembers, knownMessageMembers } from './known-members.ts';
import { withAnyTool } from './tool-choice.ts';

export const mistral = openAiCompatible({
  id: 'mistral',
  baseUrl: 'https://api.mistral.ai/v1',
  keyVariable: 'MISTRAL',
  quirks: {
    request: {
      rename: { max_completion_tokens: 'max_tokens', seed: 'random_seed' },
      refuse: ['logprobs', 'top_logprobs'],
      efforts: {},
    },
    requestWhen: [
      { models: /^mistral-(medium|small)-(2[6-9]\d\d|latest)$/, efforts: knownEfforts('none', 'high') },
      { models: /^magistral/, efforts: switchedEfforts({ prompt_mode: 'reasoning' }, {}) },
    ],
    allow: knownMembers,
    allowInMessages: knownMessageMembers,
    callId: nineCharacters,
    streamUsage: 'unasked',
    body: withAnyTool,
    finishReasons: { model_length: 'length' },
  },
});
