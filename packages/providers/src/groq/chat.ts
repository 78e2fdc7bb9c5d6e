import { openAiCompatible } from '../openai-compatible/chat.ts';
import { knownEfforts, switchedEfforts } from '../openai-compatible/efforts.ts';
import { members } from '../read.ts';

export const groq = openAiCompatible({
  id: 'groq',
  baseUrl: 'https://api.groq.com/openai/v1',
  keyVariable: 'GROQ',
  maxChoices: 1,
  quirks: {
    request: { drop: ['logit_bias'], refuse: ['logprobs', 'top_logprobs'], efforts: {} },
    requestWhen: [
      { models: /qwen/, efforts: switchedEfforts({ reasoning_effort: 'default' }, { reasoning_effort: 'none' }) },
      { models: /gpt-oss/, efforts: knownEfforts('low', 'medium', 'high') },
    ],
    dropInMessages: ['name'],
    usageOf: (body) => members(body.x_groq).usage,
    errors: {
      // The model made a call that is none: its fault, not the client's.
      tool_use_failed: 'fault',
      // Also with status 413, where one request is larger than the tokens of a minute.
      rate_limit_exceeded: 'limit',
    },
  },
});
