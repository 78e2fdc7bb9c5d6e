import { openAiCompatible } from '../openai-compatible/chat.ts';
import { knownEfforts, switchedEfforts } from '../openai-compatible/efforts.ts';
import { mistralBatches } from './batches.ts';
import { nineCharacters } from './call-id.ts';
import { knownMembers, knownMessageMembers } from './known-members.ts';
import { withOwnParts } from './parts.ts';
import { inMistralOrder } from './role-order.ts';
import { withAnyTool } from './tool-choice.ts';
import { withParameters } from './tool-parameters.ts';

export const mistral = openAiCompatible({
  id: 'mistral',
  baseUrl: 'https://api.mistral.ai/v1',
  keyVariable: 'MISTRAL',
  sdkAddsVersion: true,
  embeddings: {
    limits: { inputs: 32 },
    base64: true,
    dimensions: { name: 'output_dimension', except: /^mistral-embed/ },
    vectorTypes: { name: 'output_dtype', values: ['int8', 'uint8', 'binary', 'ubinary'], except: /^mistral-embed/ },
  },
  moderations: {},
  batches: mistralBatches,
  quirks: {
    request: {
      rename: { max_completion_tokens: 'max_tokens', seed: 'random_seed' },
      refuse: ['logprobs', 'top_logprobs', 'modalities', 'moderation', 'web_search_options'],
      clamp: { temperature: [0, 1.5] },
      efforts: {},
    },
    requestWhen: [
      { models: /^mistral-(medium|small)-(2[6-9]\d\d|latest)$/, efforts: knownEfforts('none', 'high') },
      { models: /^magistral/, efforts: switchedEfforts({ prompt_mode: 'reasoning' }, {}) },
    ],
    allow: knownMembers,
    allowInMessages: knownMessageMembers,
    callId: nineCharacters,
    functions: 'as tools',
    files: 'url',
    message: withOwnParts,
    arrange: inMistralOrder,
    streamUsage: 'unasked',
    body: (body, request) => withParameters(withAnyTool(body, request)),
    finishReasons: { model_length: 'length' },
  },
});
